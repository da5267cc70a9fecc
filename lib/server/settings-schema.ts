import { z } from "zod";
import { type ApplicationStatus, applicationStatuses } from "@/lib/domain/statuses";
import { brandSettings, textAcceptedBy } from "./brand-settings";
import { databaseUrlProblem, namesSeveralHosts } from "./database-url";
import { deskSettings } from "./desk-settings";
import { isSafeForSecrets, listOf, optionalText, optionalUrl, origin, whole } from "./setting-kinds";
import { isThisMachine } from "./this-machine.mjs";

const smsProviders = ["generic", "twilio", "clicksend", "messagemedia"] as const;

const flag = z
  .enum(["0", "1"])
  .default("0")
  .transform((text) => text === "1");
const databaseUrl = z
  .string()
  .refine((url) => !namesSeveralHosts(url), {
    error: "names several hosts: use one address that leads to the primary (docs/deploy/failover.md)",
    abort: true,
  })
  .pipe(z.url({ protocol: /^postgres(ql)?$/, abort: true }))
  .check(({ value, issues }) => {
    const message = databaseUrlProblem(value);
    if (message) issues.push({ code: "custom", input: undefined, message });
  })
  .optional();

/** By status, the months without a change after which an application's personal data may be erased. */
export type RetentionMonths = Partial<Record<ApplicationStatus, number>>;

const retention = new RegExp(`^(${applicationStatuses.join("|")}):([1-9]\\d{0,2})$`);

const retentionMonths = z
  .string()
  .default("")
  .transform((text, context): RetentionMonths => {
    const parts = text.split(",").filter(Boolean);
    const found = parts.map((part) => retention.exec(part.trim()));
    const months = found.map((part) => [part?.[1], Number(part?.[2])]);
    const statuses = new Set(months.map(([status]) => status));
    if (found.every(Boolean) && statuses.size === found.length) return Object.fromEntries(months);
    context.addIssue("is not a list of months by status such as draft:24,declined:84");
    return z.NEVER;
  });

/** fetch rejects a URL that contains a user name or password. */
const web = optionalUrl.refine(
  (url = "") => !/^https?:\/\/[^/?#]*@/i.test(url),
  "must not contain a user name or password",
);

/**
 * Whether the query of an SMTP_URL lets its password go to another machine unencrypted. Nodemailer prefers the query to our
 * requireTLS, which in turn takes precedence over ignoreTLS and opportunisticTLS.
 */
function exposesPassword(url: string): boolean {
  const { protocol, password, searchParams } = new URL(url);
  const isOff = searchParams.getAll("requireTLS").some((value) => value !== "true");
  return protocol === "smtp:" && password !== "" && !isThisMachine(url) && isOff;
}

/** `Name <name@example.com>`, or the address alone. As one string, a comma in the name would turn it into two senders. */
const mailbox = z
  .string()
  .refine((text) => !/[\r\n]/.test(text), "has more than one line")
  .transform((text) => {
    const [, name = "", address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [];
    return { name: name.trim().replace(/^"(.*)"$/, "$1"), address };
  })
  .refine(({ address }) => z.email().safeParse(address).success, "is not an address")
  .optional();

/** Every setting, with its description in docs/settings.md. Tests compare the schema with that page and with .env.example. */
export const settingsSchema = z.object({
  DATABASE_URL: databaseUrl.describe(
    "any Postgres 14 or later; encrypted only with `sslmode`: `require`, `verify-ca` or `verify-full`",
  ),
  EMBEDDED: flag.describe("1: production runs on the embedded Postgres"),
  OPERATIONS_DATABASE_URL: databaseUrl.describe(
    "the same database as [operations](deploy/README.md#three-identities), for Studio and the commands of operations",
  ),
  DATABASE_POOL_SIZE: whole(1, 200).default(10).describe("connections per process"),
  DATABASE_TIMEOUT_MS: whole(100, 60_000)
    .default(1_500)
    .describe("time limit for connecting and for each statement; after it a call gets 503"),
  HOST: z
    .union([z.ipv4(), z.ipv6(), z.hostname()], { error: "is not an IP address or a host name" })
    .optional()
    .describe("the address to listen on: 127.0.0.1 where a reverse proxy runs beside the app"),
  PORT: whole(1, 65_535).default(3000).describe("the port to listen on"),
  APP_URL: origin
    .refine(isSafeForSecrets, "must begin with https://, because links carry tokens")
    .optional()
    .describe(
      "the base of printed links: `https://apply.example`. Any address but this machine's means production, which requires DATABASE_URL (or EMBEDDED=1) and BRAND_NAME to BRAND_PRODUCT",
    ),
  TRUSTED_PROXIES: whole(0, 10)
    .default(0)
    .describe(
      "number of reverse proxies in front whose `X-Forwarded-For` is trusted; with 0, the socket's address counts",
    ),
  SHUTDOWN_DELAY_MS: whole(0, 600_000)
    .optional()
    .describe("how long requests are still served after SIGTERM, while `/api/ready` fails"),
  METRICS_PORT: whole(1, 65_535)
    .optional()
    .describe(
      "the port on 127.0.0.1 that serves `/metrics` to Prometheus, different for each process. With it, browsers report their web vitals",
    ),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1).describe("multiplies every rate limit, for load tests"),
  RETENTION_MONTHS: retentionMonths.describe(
    "months without a change after which `npm run retention` erases personal data, by status: `draft:24,declined:84`",
  ),
  EVIDENCE_KEY_FILE: optionalText.describe(
    "the key that signs the [evidence log](evidence.md), created by `npm run evidence -- key`; without it the log is not signed",
  ),
  EVIDENCE_EMAIL: z.email().optional().describe("who gets the head of the evidence log once a day, to keep elsewhere"),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("debug, info, warn, error or silent"),

  ...brandSettings,
  ...deskSettings,

  // Nodemailer connects to this machine if the URL has no host.
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, abort: true })
    .refine((url) => !exposesPassword(url), "must not turn off the encryption of a password (requireTLS)")
    .optional()
    .describe("the mail server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start"),
  MAIL_FROM: mailbox.describe("the sender: `Name <name@example.com>`"),
  MAIL_REPLY_TO: mailbox.describe("where replies go"),
  DKIM_DOMAIN: optionalText.describe("the domain of the DKIM signature, if the app signs emails itself"),
  DKIM_SELECTOR: optionalText.describe("the selector of the signature"),
  DKIM_KEY_FILE: optionalText.describe("the file of the private key"),
  STAFF_EMAILS: listOf(",")
    .pipe(z.array(z.email({ error: "is not a list of email addresses" })))
    .describe("the lender's staff who get an email for each submission, separated by commas"),
  FIGURES_EMAIL: z
    .email()
    .optional()
    .describe("who gets the [figures](operations.md#figures) every Monday at seven in `BRAND_TIME_ZONE`"),
  AGENT_NOTICE: flag.describe("1: the managing agent gets an email as well"),
  SMS_PROVIDER: z
    .enum(smsProviders)
    .optional()
    .describe("twilio, clicksend, messagemedia, or generic for any gateway that takes JSON"),
  SMS_URL: web.describe("the gateway's URL for generic; for the others, it overrides their own"),
  SMS_BODY: z
    .string()
    .refine((text) => textAcceptedBy(JSON.parse, "").safeParse(text).success, "is not JSON")
    .refine((text) => text.includes("{to}") && text.includes("{text}"), "lacks {to} or {text}")
    .default('{"to":"+{to}","from":"{from}","text":"{text}"}')
    .describe("the body of a generic request"),
  SMS_FROM: z
    .string()
    .regex(/^(\+?\d{3,15}|[A-Za-z0-9 ]{1,11})$/, "is not a number, or a name of at most eleven letters and digits")
    .optional()
    .describe("a number, or a registered name of at most eleven letters and digits"),
  SMS_ACCOUNT: optionalText.describe("Twilio's SID, ClickSend's user or MessageMedia's key"),
  // HTTP headers carry no other characters. With one, every message would end as unknown although nothing was sent.
  SMS_SECRET: optionalText
    .refine((text = "") => /^[ -~]*$/.test(text), "contains characters that an HTTP header cannot carry")
    .describe("its token, API key or secret; for generic, the Authorization header"),
  SMS_COUNTRIES: z
    .string()
    .regex(/^[1-9]\d{0,3}(,[1-9]\d{0,3})*$/, "is not a list of dial codes such as 61,64")
    .default("61")
    .transform((text) => text.split(","))
    .describe("dial codes that SMS may be sent to"),
  SMS_REPORT_SECRET: z
    .string()
    .min(16, "is too short: use 16 characters or more")
    .optional()
    .describe(
      "proves that a delivery report is the provider's: 16 characters or more; without it, only Twilio's signed reports are accepted",
    ),
  WEBHOOK_URL: web.describe("where a system of the lender receives events of links and applications"),
  WEBHOOK_SECRET: listOf(/\s+/)
    .pipe(
      z.array(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "is not whsec_ with 24 bytes or more in base64")),
    )
    .describe("the secrets that sign webhooks, as `whsec_…`: several, separated by a space, while they are rotated"),
  BOUNCES_IMAP_URL: z
    .url({ protocol: /^imaps?$/, hostname: /./, error: "must be an imap:// or imaps:// URL" })
    .refine((url) => !/%(?![\da-f]{2})/i.test(url), "contains a % that is not written as %25")
    .optional()
    .describe("the mailbox of delivery reports: `imaps://user:password@host`; add `/FOLDER` unless it is INBOX"),
  EMAIL_REPORT_SECRET: z
    .string()
    .min(16, "is too short: use 16 characters or more")
    .optional()
    .describe(
      "proves that a [report of the mail provider](sending.md#reports-by-a-call) is genuine, 16 characters or more; without it, none is accepted",
    ),
  SANDBOX_RECIPIENTS: listOf(",")
    .pipe(
      z.array(
        z.string().regex(/^(\*|[^\s@]+@[^\s@]+|[\d\s+().-]{8,})$/, "is neither * nor a list of addresses and numbers"),
      ),
    )
    .describe("the only recipients while `APP_URL` is this machine: addresses and numbers, or `*` for everybody"),
  REMINDER_DAYS: z
    .string()
    .default("3,7,14")
    .transform((text) => (text === "off" ? [] : text.split(",")))
    .pipe(
      z
        .array(z.string().regex(/^[1-9]\d?$/, "is neither off nor a list of days such as 3,7,14"))
        .max(5, "has too many days"),
    )
    // Sorted, because of two waiting reminders the one that was inserted first is sent.
    .transform((days) => [...new Set(days.map(Number))].sort((a, b) => a - b))
    .describe("days after the invitation when reminders are sent, or off"),
  STATUS_DELAY_MINUTES: whole(0, 1_440)
    .default(5)
    .describe("how long an email about a decision waits, so that a corrected mistake is never sent"),
  MESSAGES_PER_DAY: whole(0, 1_000_000_000)
    .default(5000)
    .describe("emails and SMS in 24 hours; the rest wait. Invitations and reminders may use nine tenths"),
  WORKER: z
    .enum(["on", "off"])
    .default("on")
    .transform((text) => text === "on")
    .describe("off: the app sends nothing; `npm run worker` sends the messages instead"),
});

export type Values = z.infer<typeof settingsSchema>;
