import { createHash } from "node:crypto";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { applicationStatuses } from "@/lib/domain/journey";
import type { TemplateData } from "@/lib/server/messages/templates/letter";

/** The SHA-256 of each template as written for the readers below, by channel and version. */
const pinned: Record<string, string> = {
  "email invitation-4-12345": "b7ff50a5d29edd7bab8fda0f055c8dd41c6121051aa905f7b69f69dfe600f635",
  "email reminder-4": "9cf3286d9a4b23c76827f06f24c836d2ef99a10d2906ebc29b70392e331e0024",
  "email fresh-link-4": "3ccb5af6e8bb8f4929cddae76285c8047e6cf40f0b36c5fb80658f8c01947396",
  "email confirmation-4": "c32f30cdde3c2c80d4c893027c091d97c620aa0cdb3be4101e3ad4dfcc344901",
  "email status-3": "ebd6185bc1b4f4cf4875404ae2a46335ec92ba7f3119f7b3f96b280303b86b18",
  "email staff-notice-3": "da47d6c01f2208be4b211aa02a029a5642da19d8e46fed9cbf77a9cdfcf311da",
  "email agent-notice-3": "d2ccf6e7ee462e2ceb233fd5a8a2f70a562b0e340d0b5dbb70e8ddd2234ce860",
  "email evidence-head-3": "75fd89b2fe429fb5e44f96400596625e7ea8d100648ddaac8d89959354dee342",
  "email weekly-figures-3": "617e4830e0e1f993fb36fdffde08f4164184ff877c044384d461786a1be4035e",
  "email test-3": "19d2c97538f04da8659ab5b1c957a377ec17b3a36a65e078d1f5bdc04b7ba2cd",
  "sms invitation-2": "ce4f06d21c5ad54139992311a72accef33b4d54b4f04a6998a4ab3905f21cd08",
  "sms reminder-2": "3f0ded62b67054aee47f07569a7082b6978aa067e0aede49f271eae1e1624627",
  "sms fresh-link-2": "b610fcd92c31cb23fe2b8007b714132724aa0183f1eca2398868316d549d2852",
  "sms not-you-3": "3c6783a485f228a66d0afe22de456949b9500bfd4f41688761ef1a8b9979cdeb",
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

test.each(texts)("the text of $channel $version is the pinned one", ({ channel, version, write }) => {
  const written = readers.map(({ data, by }) => write(data, by));
  const hash = createHash("sha256").update(JSON.stringify(written)).digest("hex");
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
