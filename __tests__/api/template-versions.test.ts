import { createHash } from "node:crypto";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { applicationStatuses } from "@/lib/domain/journey";
import type { TemplateData } from "@/lib/server/messages/templates/letter";

/** Each text by its channel and version: the SHA-256 of what it says to the readers below. */
const pinned: Record<string, string> = {
  "email invitation-2-12345": "2210648bfdbcd4fb859f705fbc9a80288bd3c214f5fcbdd63917271c2aea5c57",
  "email reminder-2": "05501a1987bce14b31b4ed247b51df918a24ce55e9dac65abc4de4dedb7c47e4",
  "email fresh-link-2": "8486a892ad7eacd68dfde0a1ce08be200d1a8b5930d1fe12de1a9740992bc1a7",
  "email confirmation-2": "e0e687a2f04211a3360f21715e8ffc3fad4dfa5ecead4780d92cbd3292556ce2",
  "email status-2": "9c5ca2b49d7840e5508395fbd5c89f7c8de092b5628c109d7d6d72a2cd50f2da",
  "email staff-notice-2": "23454ebf553b3f9473308e3ca6844d7918cbb518df37ade0ed343db7a4765e01",
  "email agent-notice-2": "a99c725371eebf43257df8dabe0b1f24fd80c072fa092df382f5eb64a1ad45ac",
  "email evidence-head-1": "23631da31b32156f7681ab4bcdad0b59df90ed3b43c3ddaf10a051456fdf7270",
  "email test-2": "a40fa15f215c72dcedfaa62d22066825bf4dc98023215ef6526ed0ad02b1e193",
  "sms invitation-2": "ce4f06d21c5ad54139992311a72accef33b4d54b4f04a6998a4ab3905f21cd08",
  "sms reminder-2": "3f0ded62b67054aee47f07569a7082b6978aa067e0aede49f271eae1e1624627",
  "sms fresh-link-2": "b610fcd92c31cb23fe2b8007b714132724aa0183f1eca2398868316d549d2852",
  "sms not-you-2": "df4b2f1e28b85b2d875d8c42088d65c4903094300fc051d85d946d3e3d72c5a1",
  "sms test-2": "2cc295388270b5919939ce09f60a60037be3f15f397b3ca14f2cb24524aebd68",
};

/** Fixed, as the brand below: the hash is of the words, and another maximum changes none of them. */
jest.mock("@/lib/domain/advance", () => ({
  ...jest.requireActual<object>("@/lib/domain/advance"),
  maximumAdvance: 12_345_00,
}));

/** Fixed, so that another default of the product changes no hash. */
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

const nothingTold: TemplateData = { reference: "", name: "" };
const readers = [
  ...applicationStatuses.map((status) => ({ told: { ...everyValue, status }, by: brand })),
  { told: everyValue, by: longBrand },
  { told: { ...everyValue, stop: undefined }, by: brand },
  { told: { ...everyValue, link: undefined }, by: brand },
  { told: { ...everyValue, link: `${everyValue.link}${"x".repeat(120)}` }, by: longBrand },
  { told: nothingTold, by: brand },
];

const texts = [
  ...Object.values(emails).map((template) => ({ channel: "email", ...template })),
  ...Object.values(smsTexts).map((template) => ({ channel: "sms", ...template })),
];

test.each(texts)("the text of $channel $version is the one that has this version", ({ channel, version, write }) => {
  const said = readers.map(({ told, by }) => write(told, by));
  const hash = createHash("sha256").update(JSON.stringify(said)).digest("hex");
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
