import "server-only";

/** Letters, or an abbreviation such as 'J.', 'St.' or 'Jr.'. Persian and Sinhala names are written with joiners. */
const nameLike = /^(?:(?:[\p{L}\p{M}\u200c'’ʻʼ·-]|\u200d)+|(?:\p{L}\p{M}*){1,3}\.)$/u;
const mostLetters = 60;
/** Parts of 'Mary-Jane' and 'O'Neill' count as well: otherwise a sentence could be written with hyphens. */
const mostWords = 4;

/**
 * 'Hello Alex,'. Whoever holds a link can type any name and any address, so what a mail program would turn into a link
 * ('example.com'), or what reads as a sentence of its own, is left out.
 */
export function greeting(name = ""): string {
  const isName =
    name.length <= mostLetters &&
    name.split(/[ '’ʻʼ·-]/).length <= mostWords &&
    name.split(" ").every((word) => nameLike.test(word));
  return isName ? `Hello ${name},` : "Hello,";
}
