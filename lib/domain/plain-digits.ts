const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));

/** Unicode lists the ten digits of a script in order from zero. The digits of some scripts follow each other directly. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (isDigit(code - value - 1)) value += 1;
  return String(value % 10);
}

/** Converts the digits of other scripts, such as Arabic ones, to 0 to 9. */
export const withPlainDigits = (text: string) => text.replace(/\p{Nd}/gu, digitValue);
