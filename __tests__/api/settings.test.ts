import { defaultBrand } from "@/lib/brand";
import { readSettings, SettingsError } from "@/lib/server/env";

test("with nothing set, everything has a safe default", () => {
  expect(readSettings({})).toEqual({
    databaseUrl: undefined,
    operationsDatabaseUrl: undefined,
    host: undefined,
    port: 3000,
    appUrl: "http://localhost:3000",
    metricsPort: undefined,
    shutdownDelayMs: 0,
    rateLimitFactor: 1,
    trustedProxies: 0,
    poolSize: 10,
    databaseTimeoutMs: 1500,
    retentionMonths: {},
    logLevel: "info",
    brand: defaultBrand,
  });
});

test("an empty variable counts as absent", () => {
  expect(readSettings({ DATABASE_URL: "", PORT: "", BRAND_NAME: "" })).toEqual(readSettings({}));
});

test("links are printed with the address of the app, without a slash at its end", () => {
  expect(readSettings({ APP_URL: "https://apply.example//" }).appUrl).toBe("https://apply.example");
  expect(readSettings({ PORT: "4000" }).appUrl).toBe("http://localhost:4000");
});

test.each([
  ["https://apply.example", 5000],
  ["http://localhost:3000", 0],
  ["http://127.0.0.1:3000", 0],
  ["http://[::1]:3000", 0],
  ["https://localhost.example", 5000],
])("after SIGTERM, with APP_URL=%s, everything is served for %i ms more", (APP_URL, delay) => {
  expect(readSettings({ APP_URL }).shutdownDelayMs).toBe(delay);
  expect(readSettings({ APP_URL, SHUTDOWN_DELAY_MS: "250" }).shutdownDelayMs).toBe(250);
});

test("how long personal data is kept is said for each status", () => {
  const { retentionMonths } = readSettings({ RETENTION_MONTHS: "draft:24, in-review:84" });
  expect(retentionMonths).toEqual({ draft: 24, "in-review": 84 });
});

test("a deployment may have a lender of its own", () => {
  const { brand } = readSettings({ BRAND_NAME: "Banksia", BRAND_LOCALE: "en-AU", BRAND_CURRENCY: "AUD" });
  expect(brand).toEqual({ ...defaultBrand, name: "Banksia", locale: "en-AU", currency: "AUD" });
});

test.each([
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_URL", "localhost"],
  ["OPERATIONS_DATABASE_URL", "localhost"],
  ["RETENTION_MONTHS", "24"],
  ["RETENTION_MONTHS", "draft:0"],
  ["RETENTION_MONTHS", "draft:24,gone:1"],
  ["RETENTION_MONTHS", "draft:24,draft:36"],
  ["HOST", "http://localhost"],
  ["HOST", "127.0.0.1:3000"],
  ["HOST", "here there"],
  ["PORT", "0"],
  ["PORT", "65536"],
  ["PORT", "80.5"],
  ["PORT", "http"],
  ["APP_URL", "apply.example"],
  ["APP_URL", "javascript:alert(1)"],
  ["METRICS_PORT", "0"],
  ["METRICS_PORT", "65536"],
  ["SHUTDOWN_DELAY_MS", "-1"],
  ["SHUTDOWN_DELAY_MS", "5s"],
  ["RATE_LIMIT_FACTOR", "0"],
  ["RATE_LIMIT_FACTOR", "-1"],
  ["RATE_LIMIT_FACTOR", "Infinity"],
  ["TRUSTED_PROXIES", "-1"],
  ["TRUSTED_PROXIES", "all"],
  ["DATABASE_POOL_SIZE", "0"],
  ["DATABASE_TIMEOUT_MS", "10"],
  ["LOG_LEVEL", "loud"],
  ["BRAND_LEGAL_URL", "javascript:alert(1)"],
  ["BRAND_PRIVACY_URL", "privacy"],
  ["BRAND_SUPPORT_EMAIL", "help"],
  ["BRAND_LOCALE", "english"],
  ["BRAND_LOCALE", "en_US"],
  ["BRAND_CURRENCY", "dollars"],
  ["BRAND_CURRENCY", "aud"],
])("%s=%s stops the start, and the message names the setting", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^A setting cannot be used\\.\\n${name}: `));
});

test("all invalid settings are named at once, without their values, which may contain a password", () => {
  const wrong = { DATABASE_URL: "mysql://root:hunter2@db/x", PORT: "x" };
  expect(() => readSettings(wrong)).toThrow(/DATABASE_URL: .*\nPORT: /);
  expect(() => readSettings(wrong)).not.toThrow(/hunter2/);
});
