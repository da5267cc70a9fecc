/** What a terminal obeys, and what turns the direction of a text. Line ends and tabs are ours. */
const obeyed = /\r(?!\n)|(?![\n\r\t])\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Text as a terminal may show it, whatever somebody has stored: '\u009b' for what would begin a command. JSON stays the same JSON. */
export function printable(text: string): string {
  return text.replace(obeyed, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function print(text: string): void {
  console.log(printable(text));
}
