import { createHash } from "node:crypto";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { applicationStatuses } from "@/lib/domain/statuses";
import type { TemplateData } from "@/lib/server/messages/templates/letter";

/** The SHA-256 of each template as written for the readers below, by channel and version. */
const pinned: Record<string, string> = {
  "email invitation-5-12345": "fd80820139349a2f6d5a751c09030d966d82cc6f105816a078cab8e72495f797",
  "email reminder-5": "3a84c47913107012bf7f3086d5c0ccd25c8b1b5d746a1dcc78b39d2feb174715",
  "email fresh-link-5": "271d25f217f38dbf6f934d044f2b40137916f334679a0e99d3cc042e1550a0c5",
  "email confirmation-6": "2426e50936cc75c991dec0cb691b37d86dcb106f7f3be348924f7b5c0892def7",
  "email status-8": "04b73801f12ad92116422d6875b70a7325cdd6815cf686312db69ebd3a8e1cf6",
  "email staff-notice-4": "7d6cf7006ee4e75657f0da0a93408ff1e3047a38486b94fbd43c65d13e1816d7",
  "email agent-notice-5": "4eba91016e4ea4d9761b2bf72f6717967310b26ed666ae3df010ba5d58145e01",
  "email evidence-head-5": "f627bb3ab8a28a2f23112fda1a555898b1b8cb73034a2c3bf30c105ad5541b2f",
  "email weekly-figures-8": "d9e34461b0d89cf4f0eb8212789bd709d35f445e19bdd469b7bf4de372ea7eb5",
  "email test-3": "3277de205ed7c1d83144cf71e05bf9cb176cc2f9d4e63753ed4e2a87eb70fdf4",
  "sms invitation-4": "458f1bece9254231b1d2588e96382c1ab6fe5f24db6d02ce0e95678e3ee37964",
  "sms reminder-4": "ffe6d25dfcc741265ea9a2c3c7f486e20965bac73f9643e94100862706f70bfa",
  "sms fresh-link-3": "b610fcd92c31cb23fe2b8007b714132724aa0183f1eca2398868316d549d2852",
  "sms not-you-5": "17cce3e22ea67eebd96dccfd614286b3e0491e642e5cae5c0d9e27efd6c8e7f6",
  "sms test-2": "2cc295388270b5919939ce09f60a60037be3f15f397b3ca14f2cb24524aebd68",
};

/** The maximum is fixed, as is the brand below, so that a changed limit changes no hash. */
jest.mock("@/lib/domain/advance", () => ({
  ...jest.requireActual<object>("@/lib/domain/advance"),
  maximumAdvance: 12_345_00,
}));

/** The brand is fixed, so that a changed default of the product changes no hash. */
const brand = {
  name: "Banksia",
  legalName: "Banksia Lending Pty Ltd",
  companyNumber: "ACN 111 111 111",
  licence: "Australian credit licence 111111",
  product: "AheadNow",
  registerUrl: "https://register.example/banksia",
  hasLogo: false,
  legalUrl: "https://banksia.example/legal",
  privacyUrl: "https://banksia.example/privacy",
  supportEmail: "help@banksia.example",
  supportPhone: "1800 111 111",
  supportHours: "Monday to Friday, 9am to 5pm",
  costNote: "It costs something.",
  locale: "en-AU",
  currency: "AUD",
  timeZone: "Australia/Sydney",
};
const longBrand = { ...brand, legalName: "Northern Rivers and Tablelands Landlord Lending Pty Ltd" };

const noData: TemplateData = { reference: "", name: "" };
const readers = [
  ...applicationStatuses.map((status) => ({ data: { ...everyValue, status }, by: brand })),
  { data: everyValue, by: longBrand },
  { data: { ...everyValue, stop: undefined }, by: brand },
  { data: { ...everyValue, link: undefined }, by: brand },
  { data: { ...everyValue, link: `${everyValue.link}${"x".repeat(120)}` }, by: longBrand },
  { data: noData, by: brand },
];

const texts = [
  ...Object.values(emails).map((template) => ({ channel: "email", ...template })),
  ...Object.values(smsTexts).map((template) => ({ channel: "sms", ...template })),
];

test.each(texts)("the text of $channel $version is the pinned one", ({ channel, version, render }) => {
  const rendered = readers.map(({ data, by }) => render(data, by));
  const hash = createHash("sha256").update(JSON.stringify(rendered)).digest("hex");
  const name = `${channel} ${version}`;
  if (pinned[name] === hash) return;
  throw new Error(
    `The text of ${name} has changed. Raise the version in lib/server/messages/templates by one, since each message that ` +
      `was sent is kept with the version of its text. Then replace its line in 'pinned' of this test by the new version ` +
      `and this hash:\n"${hash}"`,
  );
});

test("each version that is pinned is the version of a text", () => {
  expect(Object.keys(pinned).sort()).toEqual(texts.map(({ channel, version }) => `${channel} ${version}`).sort());
});
