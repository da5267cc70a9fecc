import { lender } from "@/__tests__/support/lender";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { type Brand, defaultBrand } from "@/lib/brand";
import { applicationStatuses } from "@/lib/domain/journey";
import { inGsm7, isGsm7, segmentsOf } from "@/lib/domain/sms-text";
import { kindOf, type MessageKind } from "@/lib/server/messages/outbox/kinds";
import type { TemplateData } from "@/lib/server/messages/templates/letter";
import { readSettings } from "@/lib/server/settings";
import { expect, same } from "./support/expect";
import { names } from "./support/names";
import type { Promised } from "./support/world";

const australian: Brand = { ...readSettings(lender).brand, locale: "en-AU", currency: "AUD" };
const long: Brand = {
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
const brands = [defaultBrand, australian, long, vietnamese];

const never = () => {
  throw new Error("Nothing is told");
};

/** With everything and with less and less of it. */
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

function judgeEmail(kind: MessageKind, told: TemplateData, brand: Brand): void {
  const email = emails[kind]?.write(told, brand) ?? never();
  const { isCommercial, link } = kindOf(kind);
  const plain = email.html
    .replace(/<style>.*?<\/style>|<[^>]+>/gs, " ")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  const way = told.stop ?? "get no more of these";
  for (const part of ["text", "html"] as const)
    same(email[part].includes(way), isCommercial === true, `way to stop in ${kind} as ${part}`);
  for (const [part, text] of [
    ["text", email.text],
    ["HTML", plain],
  ] as const) {
    const what = `${kind} as ${part}`;
    for (const of of [brand.legalName, brand.companyNumber, brand.licence, brand.supportPhone, brand.supportEmail])
      expect(text.includes(of), `${what} lacks '${of}'`);
    expect(!broken.test(text), `${what} is broken`);
    if (told.link) same(text.includes(told.link), link !== undefined, `link in ${what}`);
  }
  expect(email.subject && !/[\r\n]/.test(email.subject) && !broken.test(email.subject), `subject of ${kind}`);
}

function judgeSms(kind: MessageKind, told: TemplateData, brand: Brand): void {
  const text = smsTexts[kind]?.write(told, brand) ?? never();
  expect(isGsm7(inGsm7(text)), `${kind} as SMS is not of GSM-7`);
  const segments = segmentsOf(inGsm7(text));
  expect(segments <= 2, `${kind} is an SMS of ${segments} segments: ${text.length}`);
  for (const of of [brand.legalName, brand.supportPhone]) expect(text.includes(of), `${kind} as SMS lacks '${of}'`);
  if (kindOf(kind).isCommercial) expect(/stop: /i.test(text), `${kind} as SMS cannot be stopped`);
  if (kindOf(kind).link && told.link)
    expect(text.split("\n").includes(told.link), `the link of ${kind} has no line of its own`);
  expect(!broken.test(text), `${kind} as SMS is broken`);
}

const written: Promised = {
  number: 50,
  async prove() {
    let count = 0;
    for (const brand of brands) {
      for (const state of states) {
        for (const kind of kindsOf(emails)) judgeEmail(kind, state, brand);
        count += kindsOf(emails).length;
      }
    }
    let texts = 0;
    for (const { language, name } of names) {
      const told = { ...everyValue, name };
      const { text } = emails.invitation?.write(told, defaultBrand) ?? never();
      expect(text.startsWith(`Hello ${name},\n`), `${name} (${language}) is not greeted by name`);
      for (const kind of kindsOf(smsTexts)) for (const brand of brands) judgeSms(kind, told, brand);
      texts += kindsOf(smsTexts).length * brands.length;
    }
    for (const state of states) for (const kind of kindsOf(smsTexts)) judgeSms(kind, state, defaultBrand);
    const languages = new Set(names.map(({ language }) => language)).size;
    return `${count} emails (${kindsOf(emails).length} kinds in ${states.length} states of ${brands.length} lenders): each with the lender, its number and licence, whom to call, and a way to stop where it is commercial and only there; ${texts} SMS (${kindsOf(smsTexts).length} kinds) for ${names.length} names of ${languages} languages: all of GSM-7, at most two segments; each name greeted in the email`;
  },
};

export const templates = [written];
