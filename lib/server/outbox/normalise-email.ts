/** The address in what mail programs copy: 'Ada <ada@mail.example>' or 'mailto:ada@mail.example'. Other text is returned unchanged. */
export function normaliseEmail(text: string): string {
  const [, inBrackets = text] = /^[^<>]*<([^<>]*)>[\s;,]*$/.exec(text) ?? [];
  return inBrackets.trim().replace(/^mailto:/i, "");
}
