import { readFileSync } from "node:fs";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { defaultBrand } from "@/lib/brand";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import { greeting } from "@/lib/server/messages/templates/as-text";
import { html, light } from "@/lib/server/messages/templates/html";

const brand = { ...defaultBrand, locale: "en-AU", currency: "AUD" };
const samples = Object.entries(emails).map(([kind, template]) => [kind, template.render(everyValue, brand)] as const);
const textOf = (kind: keyof typeof emails, overrides: Partial<typeof everyValue> = {}) =>
  emails[kind]?.render({ ...everyValue, ...overrides }, brand).text ?? "";

test("values are written as text, never as markup", () => {
  expect(html`<p title="${'"><b>'}">${["a<b", html`<i>${"&"}</i>`]}</p>`.markup).toBe(
    '<p title="&#34;&#62;&#60;b&#62;">a&#60;b<i>&#38;</i></p>',
  );
});

test.each([
  ...["Ada", "Mary-Jane O'Neill", "J. R.", "Nguyễn Thị", "महेश", "a".repeat(60), "Dr. Maria Del Pilar"],
  ...["Sammy Davis Jr.", "Eva Maria St. John"],
])("an applicant called '%s' is greeted by name", (name) => {
  expect(greeting(name)).toBe(`Hello ${name},`);
});

test.each([
  ...["", "win.example", "https://win.example", "you have won! Call 1900 000 000", "a".repeat(61)],
  ...["Your loan was refused. Call now", "Refused. Call us", "Loan refused.", "Your loan was refused today"],
  ...["Ada\nCall us now", "Ada\r\nBcc someone", "Ada\u2028Call us", "Ada\u0085Call us", "Ada Lovelace\n", "www.win.co"],
  ...["win。example", "Ada, call now", "Your-loan-was-refused-call"],
])("an applicant called '%s' is greeted without a name", (name) => {
  expect(greeting(name)).toBe("Hello,");
});

test.each(samples)("%s loads nothing, and every tag is closed", (_, email) => {
  expect(email.html).not.toMatch(/<(img|script|link|iframe|svg)\b|url\(|@import|@font-face|srcset/);
  const open: string[] = [];
  for (const [, slash, name = ""] of email.html.replace(/<!.*?>/g, "").matchAll(/<(\/?)(\w+)/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else if (!["meta", "br"].includes(name)) open.push(name);
  }
  expect(open).toEqual([]);
});

test.each(samples)("the lines of %s are short enough for every mail server", (_, email) => {
  expect(Buffer.byteLength(email.html)).toBeLessThan(20_000);
  expect(email.subject.length).toBeLessThanOrEqual(78);
});

test("an email has the product's colours", () => {
  const css = readFileSync("app/globals.css", "utf8");
  for (const colour of Object.values(light)) expect(css).toContain(colour);
});

test("times are those of the lender's zone", () => {
  expect(textOf("confirmation")).toContain("Received: 21 November 2026 at 11:30 am AEDT");
  expect(textOf("invitation")).toContain("It works until 21 December 2026 at 3:00 pm AEDT.");
});

test("a time has plain spaces, where some locales have narrow ones that phones show as a box", () => {
  const text = emails.invitation?.render(everyValue, { ...brand, locale: "en-US" }).text;
  expect(text).toContain("It works until December 21, 2026 at 3:00 PM");
});

test("an amount is written as on the receipt", () => {
  expect(textOf("confirmation")).toContain("Rental advance requested: $24,050.50");
});

test("a confirmation without a link says how to open the receipt", () => {
  expect(textOf("confirmation")).toContain(`Open your application:\n${everyValue.link}\n`);
  expect(textOf("confirmation", { link: undefined })).toContain("open the link you used to apply");
});

test.each([
  ["in-review", "Status: In review"],
  ["approved", "Good news"],
  ["declined", "Ask us why"],
] as const)("the status '%s' is in the body of the email, not in its subject", (status, sentence) => {
  const email = emails.status?.render({ ...everyValue, status }, brand);
  expect(email?.text).toContain(sentence);
  expect(email?.subject).toBe("Update on your application K7QM-4XRT");
});

test("a declined landlord reads whom to contact and no advertising", () => {
  const { text = "", html = "" } = emails.status?.render({ ...everyValue, status: "declined" }, brand) ?? {};
  for (const body of [text, html]) {
    expect(body).toContain(brand.supportPhone);
    expect(body).toContain(brand.supportEmail);
    expect(body).not.toMatch(/up to|fast access|tax deductible|no impact|pre-approv|get started|apply now/i);
  }
});

test("emails to staff and agents contain no name", () => {
  for (const kind of ["staff-notice", "agent-notice"] as const)
    expect(JSON.stringify(emails[kind]?.render(everyValue, brand))).not.toContain("Ada");
});

test("an SMS names the page that stops messages if it fits, and otherwise the number to call", () => {
  const { invitation } = smsTexts;
  expect(invitation?.render(everyValue, brand)).toContain(`Stop: ${everyValue.stop}`);
  const long = { ...brand, legalName: "Northern Rivers and Tablelands Landlord Lending Pty Ltd" };
  expect(invitation?.render(everyValue, long)).toMatch(/to stop: call 1800 000 000$/);
});

test("each kind that can be stopped is an email and an SMS", () => {
  for (const kind of commercialKinds)
    for (const version of [emails[kind]?.version, smsTexts[kind]?.version])
      expect(version).toMatch(new RegExp(`^${kind}-\\d`));
});
