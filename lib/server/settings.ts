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

/** For tests. Without other settings, the environment is read anew. Returns what was there. */
export function replaceSettings(others?: Settings): Settings | undefined {
  const before = settings;
  settings = others;
  return before;
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
  const { APP_URL, PORT } = values;
  const appUrl = (APP_URL ?? `http://localhost:${PORT}`).replace(/(?<!\/)\/+$/, "");
  return {
    ...values,
    /** Base of printed links, without a slash at the end. */
    appUrl,
    /** APP_URL leads to this machine: not production. */
    isThisMachine: isThisMachine(appUrl),
    isAppUrlAssumed: APP_URL === undefined,
    /** What production needs and is not set. Empty while APP_URL is this machine. */
    missing: missingIn(values),
    brand: brandOf(values),
    sending: channelsOf(values),
    evidence: { keyFile: values.EVIDENCE_KEY_FILE, email: values.EVIDENCE_EMAIL },
  };
}

/** BRAND_LEGAL_NAME is `legalName`. */
function brandOf(values: Values): Brand {
  const own = Object.entries(defaultBrand).map(([key, otherwise]) => {
    const variable = `BRAND_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
    return [key, values[variable as keyof Values] ?? otherwise];
  });
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
  return values.DATABASE_URL || values.EMBEDDED ? unnamed : ["DATABASE_URL (or EMBEDDED=1)", ...unnamed];
}

/** What messages are sent through. A channel that is absent sends nothing. */
function channelsOf(values: Values) {
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
          countries: values.SMS_COUNTRIES,
          reportSecret: values.SMS_REPORT_SECRET,
        }
      : undefined,
    webhook: values.WEBHOOK_URL ? { url: values.WEBHOOK_URL, secrets: values.WEBHOOK_SECRET } : undefined,
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
    ["SMTP_URL", "AGENT_NOTICE=1", values.AGENT_NOTICE],
    ["SMTP_URL", "MAIL_FROM", values.MAIL_FROM !== undefined],
    ["SMTP_URL", "BOUNCES_IMAP_URL", values.BOUNCES_IMAP_URL !== undefined],
    ["SMS_PROVIDER", "SMS_FROM", values.SMS_FROM !== undefined],
    ["WEBHOOK_URL", "WEBHOOK_SECRET", webhookSecrets.length > 0],
  ];
  const dkim = (["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"] as const).filter((name) => values[name]);
  return [
    ...(values.DATABASE_URL && values.EMBEDDED ? ["EMBEDDED: excludes DATABASE_URL"] : []),
    ...needs.flatMap(([needed, by, isSet]) => (isSet && !values[needed] ? [`${needed}: ${by} needs it`] : [])),
    ...(values.WEBHOOK_URL && webhookSecrets.length === 0 ? ["WEBHOOK_SECRET: WEBHOOK_URL needs it"] : []),
    ...(dkim.length === 1 || dkim.length === 2 ? [`${dkim.join(", ")}: DKIM needs all three`] : []),
  ];
}
