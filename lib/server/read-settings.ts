import "server-only";
import { z } from "zod";
import { type Brand, defaultBrand } from "@/lib/brand";
import { type ApplicationStatus, applicationStatuses } from "@/lib/domain/journey";
import { wrongIn } from "./db/database-url";
import { readSending, type Sending, sendingShape, wrongTogether } from "./sending-settings";
import { SettingsError } from "./settings-error";

const whole = (least: number, most: number, otherwise: number) =>
  z.coerce.number().int().min(least).max(most).default(otherwise);

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, abort: true })
  .check(({ value, issues }) => {
    const message = wrongIn(value);
    if (message) issues.push({ code: "custom", input: undefined, message });
  })
  .optional();

const brandVariable = {
  BRAND_NAME: "name",
  BRAND_LEGAL_NAME: "legalName",
  BRAND_COMPANY_NUMBER: "companyNumber",
  BRAND_LICENCE: "licence",
  BRAND_PRODUCT: "product",
  BRAND_LEGAL_URL: "legalUrl",
  BRAND_PRIVACY_URL: "privacyUrl",
  BRAND_SUPPORT_EMAIL: "supportEmail",
  BRAND_SUPPORT_PHONE: "supportPhone",
  BRAND_SUPPORT_HOURS: "supportHours",
  BRAND_COST_NOTE: "costNote",
  BRAND_LOCALE: "locale",
  BRAND_CURRENCY: "currency",
  BRAND_TIME_ZONE: "timeZone",
} as const satisfies Record<string, keyof Brand>;

/** Whom and what a consent names, and beside it. */
const consentedTo = [
  "BRAND_NAME",
  "BRAND_LEGAL_NAME",
  "BRAND_COMPANY_NUMBER",
  "BRAND_LICENCE",
  "BRAND_PRODUCT",
] as const;

const word = z.string().trim().min(1).optional();

/** Names and addresses that no other machine reaches. */
const thisMachine = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/;

const retention = new RegExp(`^(${applicationStatuses.join("|")}):([1-9]\\d{0,2})$`);

/** 'draft:24,declined:84' as months by status. */
const retentionMonths = z
  .string()
  .default("")
  .transform((text, context): RetentionMonths => {
    const found = text
      .split(",")
      .filter(Boolean)
      .map((part) => retention.exec(part.trim()));
    const months = found.map((part) => [part?.[1], Number(part?.[2])]);
    const statuses = new Set(months.map(([status]) => status));
    if (found.every(Boolean) && statuses.size === found.length) return Object.fromEntries(months);
    context.addIssue("is not a list of months by status such as draft:24,declined:84");
    return z.NEVER;
  });

export const settingsSchema = z.object({
  DATABASE_URL: databaseUrl,
  OPERATIONS_DATABASE_URL: databaseUrl,
  EMBEDDED: z.enum(["0", "1"]).default("0"),
  HOST: z.union([z.ipv4(), z.ipv6(), z.hostname()], { error: "is no address or host name" }).optional(),
  PORT: whole(1, 65_535, 3000),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(600_000).optional(),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  TRUSTED_PROXIES: whole(0, 10, 0),
  DATABASE_POOL_SIZE: whole(1, 200, 10),
  DATABASE_TIMEOUT_MS: whole(100, 60_000, 1_500),
  RETENTION_MONTHS: retentionMonths,
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  BRAND_NAME: word,
  BRAND_LEGAL_NAME: word,
  BRAND_COMPANY_NUMBER: word,
  BRAND_LICENCE: word,
  BRAND_PRODUCT: word,
  BRAND_LEGAL_URL: z.url({ protocol: /^https?$/ }).optional(),
  BRAND_PRIVACY_URL: z.url({ protocol: /^https?$/ }).optional(),
  BRAND_SUPPORT_EMAIL: z.email().optional(),
  BRAND_SUPPORT_PHONE: word,
  BRAND_SUPPORT_HOURS: word,
  BRAND_COST_NOTE: word,
  BRAND_LOCALE: word.refine((locale) => locale === undefined || isLocale(locale), "is not a locale such as en-AU"),
  BRAND_CURRENCY: z
    .string()
    .regex(/^[A-Z]{3}$/, "is not a currency code such as AUD")
    .optional(),
  BRAND_TIME_ZONE: word.refine(
    (zone) => zone === undefined || isTimeZone(zone),
    "is not a zone such as Australia/Perth",
  ),
  ...sendingShape,
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length === 1;
  } catch {
    return false;
  }
}

/** After so many months without a change, the personal data of applications of a status may be erased. */
export type RetentionMonths = Partial<Record<ApplicationStatus, number>>;

export interface Settings {
  /** Absent: the embedded Postgres. */
  databaseUrl: string | undefined;
  /** The same database with the rights of operations, for what only reads. */
  operationsDatabaseUrl: string | undefined;
  /** What production needs and is not set. Empty while APP_URL is this machine. */
  missing: string[];
  /** The address to listen on. Absent: all of this machine; for the demo, loopback. */
  host: string | undefined;
  port: number;
  /** Base of printed links, without a slash at the end. */
  appUrl: string;
  /** APP_URL leads to this machine: not production. */
  isThisMachine: boolean;
  /** How long the app still serves everything after SIGTERM, while /api/ready fails. */
  shutdownDelayMs: number;
  /** The links lead to this machine, since nothing else was said. */
  isAppUrlAssumed: boolean;
  /** Absent: no metrics. */
  metricsPort: number | undefined;
  rateLimitFactor: number;
  /** How many reverse proxies in front of the app append to X-Forwarded-For. */
  trustedProxies: number;
  poolSize: number;
  /** Limit for each statement; a whole call may take nearly twice as long (in-time.ts). */
  databaseTimeoutMs: number;
  retentionMonths: RetentionMonths;
  logLevel: string;
  brand: Brand;
  sending: Sending;
}

/** An empty variable counts as absent. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new SettingsError(`A setting cannot be used.\n${wrong.join("\n")}`);
  }
  const values = parsed.data;
  const excluded = values.DATABASE_URL && values.EMBEDDED === "1" ? ["EMBEDDED: excludes DATABASE_URL"] : [];
  const wrong = [...excluded, ...wrongTogether(values)];
  if (wrong.length > 0) throw new SettingsError(`A setting cannot be used.\n${wrong.join("\n")}`);
  const overrides = Object.entries(brandVariable).flatMap(([variable, key]) => {
    const value = values[variable as keyof typeof brandVariable];
    return value === undefined ? [] : [[key, value]];
  });
  const appUrl = (values.APP_URL ?? `http://localhost:${values.PORT}`).replace(/(?<!\/)\/+$/, "");
  return {
    databaseUrl: values.DATABASE_URL,
    operationsDatabaseUrl: values.OPERATIONS_DATABASE_URL,
    missing: missingIn(values),
    host: values.HOST,
    port: values.PORT,
    appUrl,
    isThisMachine: isThisMachine(appUrl),
    isAppUrlAssumed: values.APP_URL === undefined,
    metricsPort: values.METRICS_PORT,
    shutdownDelayMs: values.SHUTDOWN_DELAY_MS ?? (isThisMachine(appUrl) ? 0 : 5000),
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    trustedProxies: values.TRUSTED_PROXIES,
    poolSize: values.DATABASE_POOL_SIZE,
    databaseTimeoutMs: values.DATABASE_TIMEOUT_MS,
    retentionMonths: values.RETENTION_MONTHS,
    logLevel: values.LOG_LEVEL,
    brand: { ...defaultBrand, ...Object.fromEntries(overrides) },
    sending: readSending(values),
  };
}

function isThisMachine(url: string): boolean {
  return thisMachine.test(new URL(url).hostname);
}

/** An address elsewhere means production: nobody is to consent to a loan of the fictitious lender, in a forgotten database. */
function missingIn(values: z.infer<typeof settingsSchema>): string[] {
  if (values.APP_URL === undefined || isThisMachine(values.APP_URL)) return [];
  const unnamed = consentedTo.filter((name) => values[name] === undefined);
  return values.DATABASE_URL || values.EMBEDDED === "1" ? unnamed : ["DATABASE_URL (or EMBEDDED=1)", ...unnamed];
}
