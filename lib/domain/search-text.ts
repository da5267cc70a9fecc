const apostrophes = /['`´’‘ʼ＇′]/g;
/** Letters that Unicode does not take apart into one of ASCII and an accent. */
const letters: Record<string, string> = { ø: "o", Ø: "o", đ: "d", Đ: "d", ł: "l", Ł: "l", ı: "i", ß: "ss" };

/** The end of a phone number that is looked for in any form: 0412, 0011 61 412 and +61 412 are the same. Null for other words. */
export function searchedNumber(given: string): string | null {
  const digits = given.normalize("NFKC").replace(/[\s().+-]/g, "");
  return /^\d{4,}$/.test(digits) ? digits.replace(/^0+(?:11)?/, "") : null;
}

/** Text as people look for it: in small letters, without accents and apostrophes. The same as search_text in the database. */
export function searchText(given: string): string {
  return given
    .replace(apostrophes, "")
    .replace(/[øØđĐłŁıß]/g, (letter) => letters[letter] ?? "")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}
