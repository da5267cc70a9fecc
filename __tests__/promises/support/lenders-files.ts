import { reportAbout } from "@/__tests__/support/delivery-reports/samples";
import type { MailServer } from "@/__tests__/support/mail-server";

const surnames = ["O’Connor", "Söderberg", "Nguyen", "de la Cruz", "Smith-Jones"];
/** As people write numbers in a spreadsheet. */
const written = [
  (n: string) => `04${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`,
  (n: string) => `+61 4${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`,
  (n: string) => `(04${n.slice(0, 2)}) ${n.slice(2)}`,
  (n: string) => `614${n}`,
];

/** Windows-1252, in which Excel saves: Latin 1, and the apostrophe as 0x92. */
const inWindows1252 = (text: string) => Buffer.from(text.replaceAll("’", "\u0092"), "latin1");

/**
 * What a lender has of so many people: semicolons, a column of its own, numbers in four ways, a line break within a cell and empty
 * rows at the end. With mistakes, also the rows that are wrong, as a spreadsheet numbers them.
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
  const lines = all.map((one) => Object.values(one).join(";"));
  const headings = "Customer no;Mobile;Email;First name;Last name;Property address;Quote;Source";
  // Row 1 has the headings; the line break in a cell makes no further row of the spreadsheet.
  const rows = hasMistakes ? mistakes.map(([n]) => n + 2) : [];
  const file = inWindows1252([headings, ...lines, ";;;;;;;", "", ""].join("\r\n"));
  return { file, rows, emails: all.map(({ email }) => email) };
}

/** An mbox: the first two of these people have no mailbox, one's is full, the last complains; and a report that is forged. */
export function reportsOn(people: string[], { raw, envelopes }: MailServer): Buffer {
  const kinds = ["lhost-postfix-14", "lhost-postfix-14", "lhost-outlook-01", "arf-15"];
  const reports = kinds.map((kind, n) => {
    const email = raw[envelopes.findIndex((recipients) => recipients.includes(people[n] ?? ""))]?.toString() ?? "";
    return reportAbout(kind, /^message-id:\s*<(.*)>/im.exec(email)?.[1] ?? "");
  });
  const forged = reportAbout("lhost-postfix-14", "00000000-0000-4000-8000-000000000000@banksia.example");
  const entries = [...reports, forged].map(
    (email) => `From MAILER-DAEMON Mon Nov 23 00:00:00 2026\n${email.toString("latin1")}\n\n`,
  );
  return Buffer.from(entries.join(""), "latin1");
}
