import { createHash } from "node:crypto";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { applicationStatuses } from "@/lib/domain/statuses";
import type { TemplateData } from "@/lib/server/messages/templates/letter";

/** The SHA-256 of each template as written for the readers below, by channel and version. */
const pinned: Record<string, string> = {
  "email invitation-6-12345": "844b3ce7a40599acb06dca1a5e94227608d887c2ef0e5e3aca453143ecf5b2f7",
  "email reminder-6": "54576e3d2ec36dc6995855533799226be2124a224833d1956b6319d07e3b7141",
  "email fresh-link-6": "8a82927a1ca7aca6eaf970cc6a618df171c82e12f133649de61554b923e012e9",
  "email confirmation-7": "12af14d6d295ecd5b379d9f1bbcd99337de148c928555ceb5fecc655b5734784",
  "email status-9": "1397d3e99e4894505600ec69025256a81a48a17af13099fac967e69fa8b86202",
  "email staff-notice-5": "8d05e13eb94a2e66809880b4308e9e01951797a006bccb5ce46cb7dd02742f24",
  "email agent-notice-6": "641228b69518bdda11d6e1c2c0ecc907cd0a25eaa5fa3d1b99675823473ee08f",
  "email evidence-head-6": "12c11628ccf410982d7ba45a4ed5466a7cdfbe7374f4a7249e0a9025bd1dbe2f",
  "email weekly-figures-9": "20450d5081866a5b05334391e56c3359ec29e0cf1fa397c773b20d734bde3f32",
  "email test-4": "9f76c1823915ddd902b18cd78d72499f811ebde8f39530423fc9b44ba687e048",
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
  complaints: "complaints@banksia.example",
  processingTime: "2 working days",
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
