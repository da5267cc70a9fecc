import "server-only";
import { type Brand, defaultBrand } from "@/lib/brand";
import { settingsSchema, type Values } from "./settings-schema";
import { isThisMachine } from "./this-machine.mjs";

export type { RetentionMonths } from "./settings-schema";
export type Settings = ReturnType<typeof readSettings>;
export type Sending = Settings["sending"];

/** Stops the start. Its message names every invalid setting, without the values. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

let settings: Settings | undefined;

/** The settings of this process. */
export function currentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}

/** For tests. */
export function replaceSettings(others: Settings): void {
  settings = others;
}

/** Throws where production lacks a setting, or only what a command needs of it: the database. */
export function requireSettings(part = ""): void {
  const { appUrl, missing } = currentSettings();
  const absent = missing.filter((name) => name.startsWith(part));
  if (absent.length === 0) return;
  throw new SettingsError(`With APP_URL=${appUrl} this is production, which needs ${absent.join(", ")} as well.`);
}

/** An empty variable counts as absent. */
export function readSettings(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const { data: values, error } = settingsSchema.safeParse(given);
  const wrong = error
    ? error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`)
    : wrongTogether(values);
  if (!values || wrong.length > 0) throw new SettingsError(`A setting cannot be used.\n${wrong.join("\n")}`);
  const appUrl = (values.APP_URL ?? `http://localhost:${values.PORT}`).replace(/(?<!\/)\/+$/, "");
  return {
    /** Absent: the embedded Postgres. */
    databaseUrl: values.DATABASE_URL,
    /** The same database with the rights of operations, for what only reads. */
    operationsDatabaseUrl: values.OPERATIONS_DATABASE_URL,
    /** What production needs and is not set. Empty while APP_URL is this machine. */
    missing: missingIn(values),
    /** The address to listen on. Absent: all of this machine; for the demo, loopback. */
    host: values.HOST,
    port: values.PORT,
    /** Base of printed links, without a slash at the end. */
    appUrl,
    /** APP_URL leads to this machine: not production. */
    isThisMachine: isThisMachine(appUrl),
    isAppUrlAssumed: values.APP_URL === undefined,
    metricsPort: values.METRICS_PORT,
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    trustedProxies: values.TRUSTED_PROXIES,
    poolSize: values.DATABASE_POOL_SIZE,
    /** Limit for each statement; a whole call may take nearly twice as long. */
    databaseTimeoutMs: values.DATABASE_TIMEOUT_MS,
    retentionMonths: values.RETENTION_MONTHS,
    logLevel: values.LOG_LEVEL,
    brand: brandOf(values),
    /** The SVG. Absent: the initial of the lender's name. */
    logo: values.BRAND_LOGO_FILE,
    sending: sendingOf(values),
    evidence: { keyFile: values.EVIDENCE_KEY_FILE, email: values.EVIDENCE_EMAIL },
  };
}

const brandVariables = {
  BRAND_NAME: "name",
  BRAND_LEGAL_NAME: "legalName",
  BRAND_COMPANY_NUMBER: "companyNumber",
  BRAND_LICENCE: "licence",
  BRAND_PRODUCT: "product",
  BRAND_REGISTER_URL: "registerUrl",
  BRAND_LEGAL_URL: "legalUrl",
  BRAND_PRIVACY_URL: "privacyUrl",
  BRAND_SUPPORT_EMAIL: "supportEmail",
  BRAND_SUPPORT_PHONE: "supportPhone",
  BRAND_SUPPORT_HOURS: "supportHours",
  BRAND_COST_NOTE: "costNote",
  BRAND_LOCALE: "locale",
  BRAND_CURRENCY: "currency",
  BRAND_TIME_ZONE: "timeZone",
} as const satisfies Partial<Record<keyof Values, keyof Brand>>;

function brandOf(values: Values): Brand {
  const own = Object.entries(brandVariables).map(([variable, key]) => [
    key,
    values[variable as keyof typeof brandVariables] ?? defaultBrand[key],
  ]);
  return { ...Object.fromEntries(own), hasLogo: values.BRAND_LOGO_FILE !== undefined };
}

/** Whom and what a consent names, and beside it. */
const consentedTo = [
  "BRAND_NAME",
  "BRAND_LEGAL_NAME",
  "BRAND_COMPANY_NUMBER",
  "BRAND_LICENCE",
  "BRAND_PRODUCT",
] as const;

/** An address elsewhere means production: nobody is to consent to a loan of the fictitious lender, in a forgotten database. */
function missingIn(values: Values): string[] {
  if (values.APP_URL === undefined || isThisMachine(values.APP_URL)) return [];
  const unnamed = consentedTo.filter((name) => values[name] === undefined);
  return values.DATABASE_URL || values.EMBEDDED === "1" ? unnamed : ["DATABASE_URL (or EMBEDDED=1)", ...unnamed];
}

/** Whom the product writes to, through what. A channel that is absent sends nothing. */
function sendingOf(values: Values) {
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_KEY_FILE: keyFile } = values;
  return {
    email: values.SMTP_URL
      ? {
          url: values.SMTP_URL,
          /** Absent: the brand's support address. */
          from: values.MAIL_FROM,
          replyTo: values.MAIL_REPLY_TO,
          dkim: domainName && keySelector && keyFile ? { domainName, keySelector, keyFile } : undefined,
        }
      : undefined,
    sms: values.SMS_PROVIDER
      ? {
          provider: values.SMS_PROVIDER,
          url: values.SMS_URL,
          body: values.SMS_BODY,
          from: values.SMS_FROM ?? "",
          account: values.SMS_ACCOUNT ?? "",
          secret: values.SMS_SECRET ?? "",
          countries: values.SMS_COUNTRIES.split(","),
          reportSecret: values.SMS_REPORT_SECRET,
        }
      : undefined,
    webhook: values.WEBHOOK_URL ? { url: values.WEBHOOK_URL, secrets: values.WEBHOOK_SECRET } : undefined,
    staff: values.STAFF_EMAILS,
    /** Who gets the figures of every week. */
    figuresEmail: values.FIGURES_EMAIL,
    agentNotice: values.AGENT_NOTICE === "1",
    sandbox: values.SANDBOX_RECIPIENTS,
    // In order: of two that wait, the one that was written first is sent.
    reminderDays: [...new Set(values.REMINDER_DAYS.map(Number))].sort((one, other) => one - other),
    statusDelayMinutes: values.STATUS_DELAY_MINUTES,
    /** Emails and SMS in 24 hours. */
    perDay: values.MESSAGES_PER_DAY,
    /** Of the mailbox that delivery reports come to. */
    bouncesUrl: values.BOUNCES_IMAP_URL,
    worker: values.WORKER === "on",
  };
}

/** Which settings are missing or wrong beside another: 'SMS_URL: SMS_PROVIDER=generic needs it'. */
function wrongTogether(values: Values): string[] {
  const { SMS_PROVIDER: provider, WEBHOOK_SECRET: webhookSecrets } = values;
  /** What is needed, by what, and whether that is set. */
  const needs: [needed: keyof Values, by: string, isSet: boolean][] = [
    ["SMS_URL", "SMS_PROVIDER=generic", provider === "generic"],
    ["SMS_FROM", "SMS_PROVIDER", provider !== undefined],
    ["SMS_ACCOUNT", "SMS_PROVIDER", provider !== undefined && provider !== "generic"],
    ["SMS_SECRET", "SMS_PROVIDER", provider !== undefined && provider !== "generic"],
    // Whoever sets one of these expects messages that no channel would send.
    ["SMTP_URL", "STAFF_EMAILS", values.STAFF_EMAILS.length > 0],
    ["SMTP_URL", "FIGURES_EMAIL", values.FIGURES_EMAIL !== undefined],
    ["SMTP_URL", "EVIDENCE_EMAIL", values.EVIDENCE_EMAIL !== undefined],
    ["SMTP_URL", "AGENT_NOTICE=1", values.AGENT_NOTICE === "1"],
    ["SMTP_URL", "MAIL_FROM", values.MAIL_FROM !== undefined],
    ["SMTP_URL", "BOUNCES_IMAP_URL", values.BOUNCES_IMAP_URL !== undefined],
    ["SMS_PROVIDER", "SMS_FROM", values.SMS_FROM !== undefined],
    ["WEBHOOK_URL", "WEBHOOK_SECRET", webhookSecrets.length > 0],
  ];
  const dkim = (["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"] as const).filter((name) => values[name]);
  return [
    ...(values.DATABASE_URL && values.EMBEDDED === "1" ? ["EMBEDDED: excludes DATABASE_URL"] : []),
    ...needs.flatMap(([needed, by, isSet]) => (isSet && !values[needed] ? [`${needed}: ${by} needs it`] : [])),
    ...(values.WEBHOOK_URL && webhookSecrets.length === 0 ? ["WEBHOOK_SECRET: WEBHOOK_URL needs it"] : []),
    ...(dkim.length === 1 || dkim.length === 2 ? [`${dkim.join(", ")}: DKIM needs all three`] : []),
  ];
}
