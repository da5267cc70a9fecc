import { readFileSync } from "node:fs";
import { lender } from "@/__tests__/support/lender";
import { names } from "@/__tests__/support/names";
import { reportFigure } from "@/__tests__/support/size";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { type Brand, defaultBrand } from "@/lib/brand";
import { applicationStatuses } from "@/lib/domain/journey";
import { inGsm7, isGsm7, segmentsOf } from "@/lib/domain/sms-text";
import { kindOf, type MessageKind } from "@/lib/server/messages/outbox/kinds";
import { greeting } from "@/lib/server/messages/templates/as-text";
import { html, light } from "@/lib/server/messages/templates/html";
import type { TemplateData } from "@/lib/server/messages/templates/letter";
import { readSettings } from "@/lib/server/settings";

const australian: Brand = { ...readSettings(lender).brand, locale: "en-AU", currency: "AUD" };
const longNames: Brand = {
  ...defaultBrand,
  name: "Northern Rivers Lending",
  legalName: "Northern Rivers and Tablelands Landlord Lending Cooperative Pty Limited",
  supportPhone: "+61 (2) 5550 0000",
};
const vietnamese: Brand = {
  ...defaultBrand,
  name: "Nhà Đất",
  legalName: "Công ty Nhà Đất Sài Gòn [€]",
  locale: "vi-VN",
};
const brands = [defaultBrand, australian, longNames, vietnamese];

/** Template data with every value, then with fewer and fewer values. */
const states: TemplateData[] = [
  ...applicationStatuses.map((status) => ({ ...everyValue, status })),
  { ...everyValue, link: undefined, linkUntil: undefined },
  { ...everyValue, linkUntil: undefined, amount: undefined },
  { ...everyValue, stop: undefined },
  { reference: "K7QM-4XRT", name: "" },
  { reference: "", name: "" },
];

const kindsOf = (templates: object) => Object.keys(templates) as MessageKind[];
const broken = /undefined|null|NaN|Invalid|\[object/;

function checkEmail(kind: MessageKind, data: TemplateData, brand: Brand): void {
  const email = emails[kind]?.render(data, brand);
  const { isCommercial, link } = kindOf(kind);
  const htmlAsText = (email?.html ?? "")
    .replace(/<style>.*?<\/style>|<[^>]+>/gs, " ")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  const stopLink = data.stop ?? "stop these messages";
  for (const part of [email?.text, email?.html]) expect(part?.includes(stopLink)).toBe(isCommercial === true);
  for (const text of [email?.text, htmlAsText]) {
    for (const detail of [brand.legalName, brand.companyNumber, brand.licence, brand.supportPhone, brand.supportEmail])
      expect(text).toContain(detail);
    expect(text).not.toMatch(broken);
    if (data.link) expect(text?.includes(data.link)).toBe(link !== undefined);
  }
  expect(email?.subject).toMatch(/^.+$/);
  expect(email?.subject).not.toMatch(broken);
}

const smsOf = (kind: MessageKind, data: TemplateData, brand: Brand) => smsTexts[kind]?.render(data, brand) ?? "";

function checkSms(kind: MessageKind, data: TemplateData, brand: Brand, text = smsOf(kind, data, brand)): void {
  const sent = inGsm7(text);
  expect(isGsm7(sent)).toBe(true);
  expect(segmentsOf(sent)).toBeLessThanOrEqual(2);
  for (const detail of [brand.legalName, brand.supportPhone]) expect(text).toContain(detail);
  if (kindOf(kind).isCommercial) expect(text).toMatch(/stop: /i);
  if (kindOf(kind).link && data.link) expect(text.split("\n")).toContain(data.link);
  expect(text).not.toMatch(broken);
}

test.each(kindsOf(emails))("an email of kind %s names the lender and, if it is commercial, how to opt out", (kind) => {
  for (const brand of brands) for (const state of states) checkEmail(kind, state, brand);
});

test.each(kindsOf(smsTexts))(
  "an SMS of kind %s names the lender in at most two segments, whoever it is for",
  (kind) => {
    for (const brand of brands) {
      // No SMS contains the name today, so all these texts are one.
      const texts = new Set(names.map(({ name }) => smsOf(kind, { ...everyValue, name }, brand)));
      for (const text of texts) checkSms(kind, everyValue, brand, text);
    }
    for (const state of states) checkSms(kind, state, defaultBrand);
  },
);

test.each(kindsOf(emails))("an email of kind %s names a lender called 'Inc.' with one full stop", (kind) => {
  const { text = "", html = "" } = emails[kind]?.render(everyValue, { ...defaultBrand, legalName: "Elm Inc." }) ?? {};
  expect(text).toContain("Elm Inc.");
  for (const body of [text, html]) expect(body).not.toContain("..");
});

test("every recipient is greeted by name", () => {
  for (const { name } of names)
    expect(emails.invitation?.render({ ...everyValue, name }, defaultBrand).text.split("\n")[0]).toBe(`Hello ${name},`);
  const [mails, texts] = [kindsOf(emails).length, kindsOf(smsTexts).length];
  const emailCount = `${mails} kinds of email in ${states.length} states of ${brands.length} lenders`;
  reportFigure(
    50,
    `${emailCount}: lender and way to stop; ${texts} kinds of SMS for ${names.length} names: at most two segments`,
  );
});

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

test.each(samples)("%s is short enough for every mail server, loads nothing, and closes every tag", (_, email) => {
  expect(Buffer.byteLength(email.html)).toBeLessThan(20_000);
  expect(email.subject.length).toBeLessThanOrEqual(78);
  expect(email.html).not.toMatch(/<(img|script|link|iframe|svg)\b|url\(|@import|@font-face|srcset/);
  const open: string[] = [];
  for (const [, slash, name = ""] of email.html.replace(/<!.*?>/g, "").matchAll(/<(\/?)(\w+)/g)) {
    if (slash) expect(open.pop()).toBe(name);
    else if (!["meta", "br"].includes(name)) open.push(name);
  }
  expect(open).toEqual([]);
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

test("an SMS names the opt-out page if its address fits, and otherwise the number to call", () => {
  const { invitation } = smsTexts;
  expect(invitation?.render(everyValue, brand)).toContain(`Stop: ${everyValue.stop}`);
  const long = { ...brand, legalName: "Northern Rivers and Tablelands Landlord Lending Pty Ltd" };
  expect(invitation?.render(everyValue, long)).toMatch(/to stop: call 1800 000 000$/);
});
