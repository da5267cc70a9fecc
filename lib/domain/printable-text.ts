/** Control characters, line separators and characters that change the direction of text, except line ends and tabs. */
const controlCharacters = /\r(?!\n)|(?![\n\r\t])\p{Cc}|[\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Escapes stored characters that a terminal or a browser would interpret, such as '\u009b'. JSON keeps its meaning. */
export function printable(text: string): string {
  return text.replace(controlCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
