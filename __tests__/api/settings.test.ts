import { lender } from "@/__tests__/support/lender";
import { defaultBrand } from "@/lib/brand";
import { readSettings, replaceSettings, requireSignIn, SettingsError } from "@/lib/server/settings";
import { isThisMachine } from "@/lib/server/this-machine.mjs";

test("without settings, nothing is sent, no proxy is trusted, and no setting is missing", () => {
  expect(readSettings({})).toMatchObject({
    TRUSTED_PROXIES: 0,
    RETENTION_MONTHS: {},
    SANDBOX_RECIPIENTS: [],
    missing: [],
    appUrl: "http://localhost:3000",
    isThisMachine: true,
    isAppUrlAssumed: true,
    brand: defaultBrand,
    sending: {},
  });
});

test("an empty variable counts as absent, except the processing time, which then promises nothing", () => {
  expect(readSettings({ DATABASE_URL: "", PORT: "", BRAND_NAME: "" })).toEqual(readSettings({}));
  const { processingTime } = readSettings({ BRAND_PROCESSING_TIME: "" }).brand;
  expect(processingTime).toBe("");
});

test("links are printed with the address of the app, without a slash at its end", () => {
  expect(readSettings({ APP_URL: "https://apply.example//" }).appUrl).toBe("https://apply.example");
  expect(readSettings({ APP_URL: "HTTPS://Apply.example" }).isThisMachine).toBe(false);
  expect(readSettings({ PORT: "4000" }).appUrl).toBe("http://localhost:4000");
});

test("an address of this machine needs nothing more", () => {
  expect(readSettings({ APP_URL: "http://localhost:3000" })).toMatchObject({ isThisMachine: true, missing: [] });
});

test("server.mjs asks about APP_URL before the settings are checked, so it may be no URL", () => {
  expect(["apply.example", "localhost", "", "http://"].filter(isThisMachine)).toEqual([]);
});

const signIn = {
  DESK_OIDC_ISSUER: "https://id.example",
  DESK_OIDC_CLIENT_ID: "desk",
  DESK_OIDC_CLIENT_SECRET: "secret",
};

test.each<[string, Record<string, string>, string | undefined]>([
  [
    "nothing is set",
    {},
    "DESK_OIDC_ISSUER, DESK_OIDC_CLIENT_ID, DESK_OIDC_CLIENT_SECRET, DESK_CLERKS or DESK_APPROVERS",
  ],
  ["nobody may sign in", signIn, "DESK_CLERKS or DESK_APPROVERS"],
  [
    "links would lead to this machine",
    { ...signIn, DESK_CLERKS: "a@b.example", DESK_URL: "https://desk.example" },
    "APP_URL",
  ],
  ["the desk is tried on this machine", { ...signIn, DESK_APPROVERS: "approvers" }, undefined],
])("the desk says what it needs where %s", (_, env, needed) => {
  const before = replaceSettings(readSettings(env));
  try {
    if (needed) expect(requireSignIn).toThrow(`The desk needs ${needed} (docs/deploy/README.md).`);
    else expect(requireSignIn).not.toThrow();
  } finally {
    replaceSettings(before);
  }
});

const DATABASE_URL = "postgresql://app@db.internal/lender";

test("an address elsewhere means production: it needs a database and every name that a consent is given to", () => {
  const APP_URL = "https://apply.example";
  const database = "DATABASE_URL (or EMBEDDED=1)";
  expect(readSettings({ APP_URL })).toMatchObject({
    isThisMachine: false,
    missing: [database, ...Object.keys(lender)],
  });
  expect(readSettings({ APP_URL, ...lender }).missing).toEqual([database]);
  expect(readSettings({ APP_URL, DATABASE_URL, ...lender }).missing).toEqual([]);
  expect(readSettings({ APP_URL, EMBEDDED: "1", ...lender }).missing).toEqual([]);
  const { BRAND_LICENCE, ...withoutLicence } = lender;
  expect(readSettings({ APP_URL, DATABASE_URL, ...withoutLicence }).missing).toEqual(["BRAND_LICENCE"]);
});

const sslModes = ["disable", "require", "verify-full", "no-verify"].map((mode) => `?sslmode=${mode}`);

test.each(["", "?schema=public", ...sslModes])("a database's URL may end in '%s'", (end) => {
  expect(readSettings({ DATABASE_URL: DATABASE_URL + end }).DATABASE_URL).toBe(DATABASE_URL + end);
});

test("the retention of personal data is set for each status", () => {
  const { RETENTION_MONTHS } = readSettings({ RETENTION_MONTHS: "draft:24, in-review:84" });
  expect(RETENTION_MONTHS).toEqual({ draft: 24, "in-review": 84 });
});

test("a deployment may have a lender of its own", () => {
  const { brand } = readSettings({ BRAND_NAME: "Banksia", BRAND_LOCALE: "en-AU", BRAND_CURRENCY: "AUD" });
  expect(brand).toEqual({ ...defaultBrand, name: "Banksia", locale: "en-AU", currency: "AUD" });
});

const wrong: Record<string, string[]> = {
  DATABASE_URL: [
    ...["mysql://localhost/x", "localhost", "postgresql://db/x?sslmode=prefer", "postgresql://db/x?sslmode=allow"],
    ...["postgresql://db/x?sslmode=verify-ca", "postgresql://db/x?sslmode=verify-full&sslrootcert=/nowhere.pem"],
    ...["postgresql://db/x?ssl=require", "postgresql://db/x?schema=lender"],
    ...[
      "postgresql://db/x?sslmode=require&sslrootcert=system",
      "postgresql://a,b/x",
      "postgresql://u:p@a:5432,b:5433/x",
    ],
    ...["postgresql:///x?host=a,b", "postgresql:///x?user=u&host=a%2Cb"],
  ],
  OPERATIONS_DATABASE_URL: ["localhost", "postgresql://db/x?schema=lender"],
  EMBEDDED: ["yes"],
  RETENTION_MONTHS: ["24", "draft:0", "draft:24,gone:1", "draft:24,draft:36"],
  HOST: ["http://localhost", "127.0.0.1:3000", "here there"],
  PORT: ["0", "65536", "80.5", "http"],
  APP_URL: [
    ...[
      "apply.example",
      "javascript:alert(1)",
      "https://apply.example/?x=1",
      "https://apply.example?",
      "https://a.example#b",
    ],
    ...[
      "https://apply.example/apply",
      "https://user:pw@apply.example",
      "https://$DOMAIN",
      "https://a.example,https://b.example",
    ],
    ...["https://apply.example:port", "https://apply.example:99999", "http://apply.example", "HTTP://10.0.0.7:3000"],
  ],
  BOUNCES_IMAP_URL: ["imaps://bounces:100%sure@mail.example"],
  METRICS_PORT: ["0", "65536"],
  SHUTDOWN_DELAY_MS: ["-1", "5s"],
  RATE_LIMIT_FACTOR: ["0", "-1", "Infinity"],
  TRUSTED_PROXIES: ["-1", "all"],
  DATABASE_POOL_SIZE: ["0"],
  DATABASE_TIMEOUT_MS: ["10"],
  LOG_LEVEL: ["loud"],
  WEBHOOK_URL: ["https://user:secret@lender.example/hooks"],
  BRAND_PRODUCT: ["RentAhead Loan", "RENTAHEAD LOAN "],
  BRAND_LEGAL_URL: ["javascript:alert(1)"],
  BRAND_PRIVACY_URL: ["privacy"],
  BRAND_SUPPORT_EMAIL: ["help"],
  BRAND_SUPPORT_PHONE: [
    "1800 RENTAL",
    "+61 (0)2 5550 0000",
    "1800 111 111, option 2",
    "1800 111 111 or 02 5550 0000",
    "none",
  ],
  BRAND_COMPLAINTS: ["ask us", "javascript:alert(1)", "1800 RENTAL"],
  BRAND_LOCALE: [
    "english",
    "en_US",
    "fr",
    "de-DE",
    "en-DE",
    "th-TH",
    "ar-EG",
    "en-AU-u-nu-arab",
    "en-AU-u-ca-buddhist",
  ],
  BRAND_CURRENCY: ["dollars", "aud", "AUS", "XXX"],
  BRAND_TIME_ZONE: ["Sydney", "AEST", "AET", "ACT", "EST", "IST", "BST"],
};

test.each(["en", "en-AU", "en-GB", "en-IN", "en-NZ", "en-US", "en-ZA"])("amounts may be written as in %s", (locale) => {
  expect(readSettings({ BRAND_LOCALE: locale }).brand.locale).toBe(locale);
});

test.each(["Australia/Perth", "Asia/Kolkata", "Etc/GMT-10", "UTC"])("the time zone may be %s", (timeZone) => {
  expect(readSettings({ BRAND_TIME_ZONE: timeZone }).brand.timeZone).toBe(timeZone);
});

const each = Object.entries(wrong).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));

test.each(each)("%s=%s prevents startup, and one line names the setting", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^Invalid settings:\\n${name}: .*$`));
});

test("the embedded database and another one exclude each other", () => {
  expect(() => readSettings({ DATABASE_URL, EMBEDDED: "1" })).toThrow(/EMBEDDED/);
});

test("all invalid settings are named at once, without their values, which may contain a password", () => {
  const wrong = { DATABASE_URL: "mysql://root:hunter2@db/x", PORT: "x" };
  expect(() => readSettings(wrong)).toThrow(/DATABASE_URL: .*\nPORT: /);
  expect(() => readSettings(wrong)).not.toThrow(/hunter2/);
});

const gateway = { SMS_PROVIDER: "generic", SMS_URL: "https://sms.example", SMS_FROM: "61400000000" };
const secret = `whsec_${"a".repeat(32)}`;
const withPassword = "smtp://lender:secret@mail.example:587?name=app.lender.example";
const turnsOffEncryption = /^SMTP_URL: must not turn off the encryption of a password/m;

test.each<[Record<string, string>, RegExp]>([
  [{ SMTP_URL: "smtp:mail.example" }, /^SMTP_URL: /m],
  [{ SMTP_URL: "smtp://" }, /^SMTP_URL: /m],
  [{ SMTP_URL: `${withPassword}&requireTLS=false` }, turnsOffEncryption],
  [{ SMTP_URL: `${withPassword}&requireTLS=` }, turnsOffEncryption],
  [{ SMTP_URL: `${withPassword}&requireTLS=true&requireTLS=0` }, turnsOffEncryption],
  [
    { SMTP_URL: "smtp://mail.example", MAIL_FROM: "A <a@b.example>, B <c@d.example>" },
    /^MAIL_FROM: is not an address/m,
  ],
  [{ ...gateway, SMS_BODY: '{"text":"{text}"}' }, /^SMS_BODY: lacks \{to\} or \{text\}/m],
  [{ ...gateway, SMS_BODY: '{"to":"{to}"}' }, /^SMS_BODY: lacks/m],
  [{ ...gateway, SMS_SECRET: "Bearer „secret“" }, /^SMS_SECRET: contains characters/m],
  [{ SANDBOX_RECIPIENTS: "me" }, /^SANDBOX_RECIPIENTS.*: is neither/m],
  [{ STAFF_EMAILS: "loans@lender.example" }, /^SMTP_URL: required by STAFF_EMAILS/m],
  [{ AGENT_NOTICE: "1" }, /^SMTP_URL: required by AGENT_NOTICE=1/m],
  [{ MAIL_FROM: "loans@lender.example" }, /^SMTP_URL: required by MAIL_FROM/m],
  [{ FIGURES_EMAIL: "boss@lender.example" }, /^SMTP_URL: required by FIGURES_EMAIL/m],
  [{ SMS_FROM: "61400000000" }, /^SMS_PROVIDER: required by SMS_FROM/m],
  [{ WEBHOOK_SECRET: secret }, /^WEBHOOK_URL: required by WEBHOOK_SECRET/m],
])("%j stops the start, and the message names the setting", (settings, expected) => {
  expect(() => readSettings(settings)).toThrow(expected);
});

test("a complete setup is accepted", () => {
  const settings = {
    SMTP_URL: "smtps://loans%40lender.example:100%25sure@mail.example:465?name=app.lender.example",
    MAIL_FROM: '"Wattle Lane, loans" <loans@lender.example>',
    ...gateway,
    WEBHOOK_URL: "https://lender.example/hooks",
    WEBHOOK_SECRET: `${secret} ${secret}`,
    STAFF_EMAILS: "loans@lender.example",
    SANDBOX_RECIPIENTS: "0412 345 678, +61 (0) 412 345 679, me@lender.example, *",
  };
  expect(readSettings(settings)).toMatchObject({
    STAFF_EMAILS: ["loans@lender.example"],
    sending: { sms: { from: "61400000000" } },
  });
});

test.each([
  "smtp://lender:secret@mail.example?requireTLS=true",
  "smtps://lender:secret@mail.example?requireTLS=false",
  "smtp://mail.example?ignoreTLS=true",
  "smtp://lender:secret@127.0.0.1:2525?ignoreTLS=true",
])("SMTP_URL may turn off STARTTLS where that exposes no password: %s", (url) => {
  expect(readSettings({ SMTP_URL: url, MAIL_FROM: "loans@lender.example" }).SMTP_URL).toBe(url);
});

test("reminders are sorted and unique: the first that waits is sent", () => {
  expect(readSettings({ REMINDER_DAYS: "14,3,7,3" }).REMINDER_DAYS).toEqual([3, 7, 14]);
});
