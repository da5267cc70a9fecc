import { createHash } from "node:crypto";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { applicationStatuses } from "@/lib/domain/journey";
import type { TemplateData } from "@/lib/server/messages/templates/letter";

/** Each text by its channel and version: the SHA-256 of what it says to the readers below. */
const pinned: Record<string, string> = {
  "email invitation-1": "ddde60d8bad708cfcfdbf04d71f869e29c477d548cda57eb48692a2ba3cfc195",
  "email reminder-1": "a68a2e68325d6f7121d0412953dd24027705238bb971a66b7949aa7701c7a158",
  "email fresh-link-1": "0b5325b818ae66314f43c12464d434590ef5a625692bd43872d61d5d56b27178",
  "email confirmation-1": "c4e43a2f656b20d4a96faa86b451653792240b16ec072fbcc36399ea7d353999",
  "email status-1": "b8446b71a9263fca76533308b05f58aad8b85326541446d4b1b4b32c81877fe5",
  "email staff-notice-1": "fee4dd9c45780d9daa461a406f413b5cb3c906a2fc979038088ee2e3008fdb12",
  "email agent-notice-1": "2f46951f4911334d48e4ea9acbb8e7cd018861dbbb0a3239dec1fcccfda74c39",
  "email evidence-head-1": "746648e045c53c24f65d296ae6fb7c755833c5b2649c2d4b107cdc01c431e4a8",
  "email test-1": "440204df3e719e2310f1abc4afaae1d573d12a077b0b758a63a0459a3a37d6b1",
  "sms invitation-1": "70b8f2f19594a4999c87dbaa71b3861cf969b50473e44fe4e6c43ebca724333a",
  "sms reminder-1": "8ed7ce9d5e841f7cbc8f953959ec32ef24f3141976b30b68fd7851cf8769e809",
  "sms fresh-link-1": "c948d05dfdacdfb3fb1539a5f588a8a99d0a6709604b6422b938652734ea48eb",
  "sms not-you-1": "bdd427a73e753759e8482098fce77bb145ee1b4a81bb96765c1b9f98ccfba2c0",
  "sms test-1": "52e9bf465b942dde36cb36ecfbac9fa58153ed39869beb9fb6b2e62359d4889e",
};

/** Fixed, so that another default of the product changes no hash. */
const brand = {
  name: "Banksia",
  legalName: "Banksia Lending Pty Ltd",
  companyNumber: "ACN 111 111 111",
  licence: "Australian credit licence 111111",
  product: "AheadNow",
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
