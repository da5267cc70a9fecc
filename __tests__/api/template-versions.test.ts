import { createHash } from "node:crypto";
import { emails, everyValue, smsTexts } from "@/__tests__/support/template-data";
import { applicationStatuses } from "@/lib/domain/statuses";
import type { TemplateData } from "@/lib/server/templates/letter";

/** The SHA-256 of each template as written for the readers below, by channel and version. */
const pinned: Record<string, string> = {
  "email invitation-6-12345": "e37e9d2ad8badff9aa9fa4dd9c468865d4539b0c8712ebb640d4a1b866a450ac",
  "email reminder-6": "099e45bdf7400d56c23d1cc7a0dd4feee477673b52c3a04d3195ac194a9f4f08",
  "email fresh-link-6": "c81e1735ed73239566ac88757b207906fb8097bee72f198d861dd866cd2ba4f5",
  "email confirmation-7": "9b6b2a78bce34f77e54417eccbfd9926972fd29c52aa5c23c0ad805049ee280b",
  "email status-10": "dd03775a22a728aba9c00b5e936d6005c66d3c6b15209a47cc9181de7902e401",
  "email staff-notice-6": "a978784eb65c3ab2c9fdbe05314a2b7043c2626d594ab650a00f2e9c4dda86f6",
  "email agent-notice-6": "0518994e723beaf1f4bf206127a79edc06c1e3292195e96b8d3fdcebdbf3130a",
  "email evidence-head-6": "90e2431c857fef1ee7abdc082dfba94cee397a6966ce2c1208d27c415442183a",
  "email weekly-figures-10": "d0789308d6acfc4bdcd176b8b85087537942bdc36b64134ca52608710af6eba0",
  "email test-4": "a0062069bb672d764ade59b932331f50d57d5c64209eff04a3612e8c3cb9e87a",
  "sms invitation-4": "18fe0739dd927e99e93700a3c8831d6da4555b4d2b19680b90d1921f2a9de557",
  "sms reminder-4": "0e0b2190056715cf5da545a89f02f308b756452d4cc5c11b5e4996db9519a0a4",
  "sms fresh-link-3": "7e518430218bad76a0d5b5598c914a50f2e6398abe01ad8bb74fd5ccfef39739",
  "sms not-you-5": "ea96e004eb5f6e4bb3cdc895971df468245cf27b3b788513f35843b82561042c",
  "sms test-2": "3a8ab62a657fa54c29327cb55c1a96332edced5ffbb38eba006f99db16356b73",
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
  // Without repetitions, so that a new status changes only the hash of a text that names the status.
  const rendered = [...new Set(readers.map(({ data, by }) => JSON.stringify(render(data, by))))];
  const hash = createHash("sha256").update(JSON.stringify(rendered)).digest("hex");
  const name = `${channel} ${version}`;
  if (pinned[name] === hash) return;
  throw new Error(
    `The text of ${name} has changed. Raise the version in lib/server/templates by one, since each message that ` +
      `was sent is kept with the version of its text. Then replace its line in 'pinned' of this test by the new version ` +
      `and this hash:\n"${hash}"`,
  );
});

test("each version that is pinned is the version of a text", () => {
  expect(Object.keys(pinned).sort()).toEqual(texts.map(({ channel, version }) => `${channel} ${version}`).sort());
});
