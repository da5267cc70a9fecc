/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly string[], delimiter = ","): string {
  const quoted = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(delimiter)}\r\n`;
}

/** Without it, Excel reads a CSV file in the code page of its machine. */
export const byteOrderMark = "\ufeff";

/** An applicant's text must not run as a formula: a spreadsheet shows what follows an apostrophe as text. */
export function spreadsheetCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
