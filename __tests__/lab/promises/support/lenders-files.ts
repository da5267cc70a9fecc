import { reportAbout } from "@/__tests__/support/delivery-reports";
import type { MailServer } from "@/__tests__/support/mail-server";

const surnames = ["O’Connor", "Söderberg", "Nguyen", "de la Cruz", "Smith-Jones"];
/** The formats in which people write phone numbers in a spreadsheet. */
const written = [
  (n: string) => `04${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`,
  (n: string) => `+61 4${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`,
  (n: string) => `(04${n.slice(0, 2)}) ${n.slice(2)}`,
  (n: string) => `614${n}`,
];

/** Encodes a text as Windows-1252, as Excel does: Latin 1, with the apostrophe as 0x92. */
const inWindows1252 = (text: string) => Buffer.from(text.replaceAll("’", "\u0092"), "latin1");

/**
 * A lender's contact list, with semicolons, an extra column, four formats of numbers, a line break within a cell, and empty
 * rows at the end. With mistakes, `rows` has the wrong rows as a spreadsheet numbers them.
 */
export function contactsList(people: number, hasMistakes: boolean): { file: Buffer; rows: number[]; emails: string[] } {
  const number = (n: number) => String(20_000_000 + n);
  const row = (n: number) => ({
    customer: `00${n}`,
    mobile: written[n % written.length]?.(number(n)) ?? "",
    email: `landlord${n}@mail.example`,
    name: `Alex ${n}`,
    surname: surnames[n % surnames.length] ?? "",
    address: n === 2 ? '"1 Wattle Lane\r\nSydney"' : `${n + 1} Wattle Lane`,
    quote: n % 3 ? "2450.00" : '"2450.00;1980.00"',
    source: n % 2 ? "ba" : "",
  });
  const all = Array.from({ length: people }, (_, n) => row(n));
  const mistakes: [number, Partial<ReturnType<typeof row>>][] = [
    [4, { mobile: "12" }],
    [9, { mobile: all[8]?.mobile ?? "" }],
    [19, { email: "alex(at)mail.example" }],
    [29, { source: "website" }],
  ];
  if (hasMistakes) for (const [n, mistake] of mistakes) Object.assign(all[n] ?? {}, mistake);
  const lines = all.map((contact) => Object.values(contact).join(";"));
  const headings = "Customer no;Mobile;Email;First name;Last name;Property address;Quote;Source";
  // Row 1 has the headings. The line break within a cell does not start another row of the spreadsheet.
  const rows = hasMistakes ? mistakes.map(([n]) => n + 2) : [];
  const file = inWindows1252([headings, ...lines, ";;;;;;;", "", ""].join("\r\n"));
  return { file, rows, emails: all.map(({ email }) => email) };
}

/** An mbox with reports: two people have no mailbox, the third one's is full, the fourth complains, and the last is forged. */
export function reportsOn(people: string[], { raw, envelopes }: MailServer): Buffer {
  const kinds = ["postfix-unknown-user", "postfix-unknown-user", "exchange-online-full", "arf-abuse"];
  const reports = kinds.map((kind, n) => {
    const email = raw[envelopes.findIndex((recipients) => recipients.includes(people[n] ?? ""))]?.toString() ?? "";
    return reportAbout(kind, /^message-id:\s*<(.*)>/im.exec(email)?.[1] ?? "");
  });
  const forged = reportAbout("postfix-unknown-user", "00000000-0000-4000-8000-000000000000@banksia.example");
  const entries = [...reports, forged].map(
    (email) => `From MAILER-DAEMON Mon Nov 23 00:00:00 2026\n${email.toString("latin1")}\n\n`,
  );
  return Buffer.from(entries.join(""), "latin1");
}
