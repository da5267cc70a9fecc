import "server-only";
import { type Brand, defaultBrand } from "@/lib/brand";
import { settingsSchema, type Values } from "./settings-schema";
import { isThisMachine } from "./this-machine.mjs";

export type Settings = ReturnType<typeof readSettings>;
export type Sending = Settings["sending"];

/** Prevents the start. The message names every invalid setting without its value. */
export class SettingsError extends Error {
  override name = "SettingsError";
}

let settings: Settings | undefined;

/** The settings of this process, read from the environment on first use. */
export function currentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}

/** The page of an application at the desk; undefined unless DESK_URL is set. */
export function deskLink(reference: string): string | undefined {
  const { DESK_URL, deskUrl } = currentSettings();
  return DESK_URL && `${deskUrl}/desk/${reference}`;
}

/** For tests and the demo. Without an argument, the environment is read again on the next use. Returns the previous settings. */
export function replaceSettings(replacement?: Settings): Settings | undefined {
  const before = settings;
  settings = replacement;
  return before;
}

/** Throws if production lacks a setting. Commands pass `part` to check only the settings whose names begin with it. */
export function requireSettings(part = ""): void {
  const { appUrl, missing } = currentSettings();
  const absent = missing.filter((name) => name.startsWith(part));
  if (absent.length === 0) return;
  throw new SettingsError(`With APP_URL=${appUrl} this is production, which needs ${absent.join(", ")} as well.`);
}

/** Throws unless staff can sign in to the desk and somebody may. */
export function requireSignIn(): void {
  const { DESK_OIDC_ISSUER, DESK_OIDC_CLIENT_ID, DESK_OIDC_CLIENT_SECRET, ...rest } = currentSettings();
  const { DESK_CLERKS, DESK_APPROVERS, deskUrl, isAppUrlAssumed } = rest;
  const needed = { DESK_OIDC_ISSUER, DESK_OIDC_CLIENT_ID, DESK_OIDC_CLIENT_SECRET };
  const absent = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]));
  if (DESK_CLERKS.length + DESK_APPROVERS.length === 0) absent.push("DESK_CLERKS or DESK_APPROVERS");
  // Otherwise the links of invitations would lead to this machine.
  if (isAppUrlAssumed && !isThisMachine(deskUrl)) absent.push("APP_URL");
  if (absent.length > 0) throw new SettingsError(`The desk needs ${absent.join(", ")} (docs/deploy/README.md).`);
}

/** An empty environment variable counts as absent, except where empty has a meaning of its own. */
export function readSettings(env: Record<string, string | undefined>) {
  const present = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== "" || name === "BRAND_PROCESSING_TIME"),
  );
  const { data: values, error } = settingsSchema.safeParse(present);
  const wrong = error ? error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) : conflicts(values);
  if (!values || wrong.length > 0) throw new SettingsError(`Invalid settings:\n${wrong.join("\n")}`);
  const { APP_URL, PORT } = values;
  const appUrl = (APP_URL ?? `http://localhost:${PORT}`).replace(/(?<!\/)\/+$/, "");
  return {
    ...values,
    /** Base of printed links, without a trailing slash. */
    appUrl,
    /** APP_URL points to this machine, so this is not production. */
    isThisMachine: isThisMachine(appUrl),
    isAppUrlAssumed: APP_URL === undefined,
    /** The address of the desk, without a trailing slash. */
    deskUrl: (values.DESK_URL ?? `http://localhost:${values.DESK_PORT}`).replace(/(?<!\/)\/+$/, ""),
    /** The settings that production requires and that are not set. Empty while APP_URL points to this machine. */
    missing: missingForProduction(values),
    brand: brandOf(values),
    sending: channelsOf(values),
  };
}

/** Reads each key of the brand from its variable: `legalName` from BRAND_LEGAL_NAME. */
function brandOf(values: Values): Brand {
  const own = Object.entries(defaultBrand).map(([key, fallback]) => {
    const variable = `BRAND_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
    return [key, values[variable as keyof Values] ?? fallback];
  });
  return { ...Object.fromEntries(own), hasLogo: values.BRAND_LOGO_FILE !== undefined };
}

/** The settings that name the lender and the product in a consent text or beside it. */
const consentSettings = [
  "BRAND_NAME",
  "BRAND_LEGAL_NAME",
  "BRAND_COMPANY_NUMBER",
  "BRAND_LICENCE",
  "BRAND_PRODUCT",
] as const;

/** An APP_URL elsewhere means production, which needs a real lender for consents and a database that was chosen on purpose. */
function missingForProduction(values: Values): string[] {
  if (values.APP_URL === undefined || isThisMachine(values.APP_URL)) return [];
  const unnamed = consentSettings.filter((name) => values[name] === undefined);
  return values.DATABASE_URL || values.EMBEDDED ? unnamed : ["DATABASE_URL (or EMBEDDED=1)", ...unnamed];
}

/** The configuration of each channel. A channel that is undefined sends nothing. */
function channelsOf(values: Values) {
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_KEY_FILE: keyFile } = values;
  return {
    email: values.SMTP_URL
      ? {
          url: values.SMTP_URL,
          /** If undefined, the sender is the brand's support address. */
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
          /** Proves that a report is the provider's. Without it, none is accepted. Twilio signs with the account's secret. */
          reportSecret: values.SMS_PROVIDER === "twilio" ? values.SMS_SECRET : values.SMS_REPORT_SECRET,
        }
      : undefined,
    webhook: values.WEBHOOK_URL ? { url: values.WEBHOOK_URL, secrets: values.WEBHOOK_SECRET } : undefined,
  };
}

/** Reports settings that others require or exclude: 'SMS_URL: required by SMS_PROVIDER=generic'. */
function conflicts(values: Values): string[] {
  const { SMS_PROVIDER: provider, WEBHOOK_SECRET: webhookSecrets } = values;
  /** The required setting, the setting that requires it, and whether the latter is set. */
  const needs: [needed: keyof Values, by: string, isSet: boolean][] = [
    ["SMS_URL", "SMS_PROVIDER=generic", provider === "generic"],
    ["SMS_FROM", "SMS_PROVIDER", provider !== undefined],
    ["SMS_ACCOUNT", "SMS_PROVIDER", provider !== undefined && provider !== "generic"],
    ["SMS_SECRET", "SMS_PROVIDER", provider !== undefined && provider !== "generic"],
    // These settings imply messages, which no channel would send.
    ["SMTP_URL", "STAFF_EMAILS", values.STAFF_EMAILS.length > 0],
    ["SMTP_URL", "FIGURES_EMAIL", values.FIGURES_EMAIL !== undefined],
    ["SMTP_URL", "EVIDENCE_EMAIL", values.EVIDENCE_EMAIL !== undefined],
    ["SMTP_URL", "AGENT_NOTICE=1", values.AGENT_NOTICE],
    ["SMTP_URL", "MAIL_FROM", values.MAIL_FROM !== undefined],
    ["SMTP_URL", "BOUNCES_IMAP_URL", values.BOUNCES_IMAP_URL !== undefined],
    ["SMTP_URL", "EMAIL_REPORT_SECRET", values.EMAIL_REPORT_SECRET !== undefined],
    ["SMS_PROVIDER", "SMS_FROM", values.SMS_FROM !== undefined],
    ["WEBHOOK_URL", "WEBHOOK_SECRET", webhookSecrets.length > 0],
  ];
  const dkim = (["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"] as const).filter((name) => values[name]);
  return [
    ...(values.DATABASE_URL && values.EMBEDDED ? ["EMBEDDED: cannot be combined with DATABASE_URL"] : []),
    ...needs.flatMap(([needed, by, isSet]) => (isSet && !values[needed] ? [`${needed}: required by ${by}`] : [])),
    ...(values.WEBHOOK_URL && webhookSecrets.length === 0 ? ["WEBHOOK_SECRET: required by WEBHOOK_URL"] : []),
    ...(dkim.length === 1 || dkim.length === 2 ? [`${dkim.join(", ")}: DKIM needs all three`] : []),
  ];
}
