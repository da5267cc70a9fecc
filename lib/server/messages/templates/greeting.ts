import "server-only";

/** Words of letters, each with a full stop after it at most. Persian and Sinhala names are written with joiners. */
const nameLike = /^(?:(?:[\p{L}\p{M}\u200c'’ʻʼ·-]|\u200d)+\.?(?: |$))+$/u;

/**
 * 'Hello Alex,'. Whoever holds a link can type any name and any address, so what a mail program would turn into a link
 * ('example.com'), or what is a sentence of its own, is left out.
 */
export function greeting(name = ""): string {
  return name.length <= 60 && nameLike.test(name) ? `Hello ${name},` : "Hello,";
}
