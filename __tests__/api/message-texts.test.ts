import { lender } from "@/__tests__/support/lender";
import { names } from "@/__tests__/support/names";
import { reportFigure } from "@/__tests__/support/size";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { type Brand, defaultBrand } from "@/lib/brand";
import { applicationStatuses } from "@/lib/domain/journey";
import { inGsm7, isGsm7, segmentsOf } from "@/lib/domain/sms-text";
import { kindOf, type MessageKind } from "@/lib/server/messages/outbox/kinds";
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

test.each(kindsOf(emails))(
  "an email of kind %s names the lender, and how to stop it where it is commercial",
  (kind) => {
    for (const brand of brands) for (const state of states) checkEmail(kind, state, brand);
  },
);

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
