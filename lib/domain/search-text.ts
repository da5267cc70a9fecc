import { withoutSeparators } from "./phone";

const apostrophes = /['`´’‘‛ʻʼ＇′]/g;
/** Letters that Unicode does not decompose into an ASCII letter and an accent. */
const letters: Record<string, string> = { ø: "o", Ø: "o", đ: "d", Đ: "d", ł: "l", Ł: "l", ı: "i", ß: "ss" };

/**
 * The digits to search for. 0412, 0011 61 412, +61 412 and +61 (0)412 find the same phone numbers. Null if the text is not a
 * number, or if its prefix leaves fewer than three digits: 0000 would find everyone.
 */
function searchedNumber(text: string): string | null {
  const digits = withoutSeparators(text).replaceAll("+", "");
  // A complete number may have the 0 of domestic calls after the dial code: +61 0412 345 678.
  const number = digits.replace(/^0+(?:11)?/, "").replace(/^610(?=\d{9}$)/, "61");
  return /^\d{4,}$/.test(digits) && number.length >= 3 ? number : null;
}

/**
 * The number among the words of a search, as in 'Nguyen 0412 345 678', and the other words. Null, and all words, if they have
 * none.
 */
export function splitSearch(words: string[]): { number: string | null; others: string[] } {
  const isNumeric = (word: string) => /^[\d+]*$/.test(withoutSeparators(word));
  const number = searchedNumber(words.filter(isNumeric).join(" "));
  return { number, others: number === null ? words : words.filter((word) => !isNumeric(word)) };
}

/** The words of a search. One that is empty without apostrophes and accents would match every application. */
export function searchWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => searchText(word).trim() !== "");
}

/** Text for a search: lower case, without accents and apostrophes. search_text in the database does the same. */
export function searchText(text: string): string {
  return text
    .replace(apostrophes, "")
    .replace(/[øØđĐłŁıß]/g, (letter) => letters[letter] ?? "")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}
