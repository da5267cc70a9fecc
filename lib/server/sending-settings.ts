import "server-only";
import { z } from "zod";

export const smsProviders = ["generic", "twilio", "clicksend", "messagemedia"] as const;

/** What email needs: a server, and who writes. */
interface EmailSettings {
  url: string;
  /** 'Name <name@example.com>'; absent: the brand's support address. */
  from: string | undefined;
  replyTo: string | undefined;
  dkim: { domainName: string; keySelector: string; keyFile: string } | undefined;
}

interface SmsSettings {
  provider: (typeof smsProviders)[number];
  /** For `generic` the gateway; for the others, in place of their own address. */
  url: string | undefined;
  /** JSON with {to}, {from} and {text}, for `generic`. */
  body: string;
  from: string;
  /** Twilio's SID, ClickSend's user, MessageMedia's key. */
  account: string;
  /** Their token, API key or secret; for `generic` the Authorization header. */
  secret: string;
  /** Dial codes that may be written to. */
  countries: string[];
  /** Signs delivery reports, or stands in their address. Absent: none are taken. */
  reportSecret: string | undefined;
}

/** Whom the product writes to, through what. A channel that is absent sends nothing. */
export interface Sending {
  email: EmailSettings | undefined;
  sms: SmsSettings | undefined;
  /** Secrets as `whsec_…`: several while they are rotated. */
  webhook: { url: string; secrets: string[] } | undefined;
  /** The lender's people who hear of submissions. */
  staff: string[];
  agentNotice: boolean;
  /** The only ones written to while APP_URL is this machine; '*' for everybody. */
  sandbox: string[];
  /** Days after the invitation. */
  reminderDays: number[];
  /** Emails and SMS in 24 hours. */
  perDay: number;
  worker: boolean;
}

const listOf = (separator: RegExp | string) =>
  z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(separator)
        .map((part) => part.trim())
        .filter(Boolean),
    );

const emails = listOf(",").pipe(z.array(z.email({ error: "is not a list of email addresses" })));
const word = z.string().trim().min(1).optional();
/** fetch refuses an address with a name and password in it. */
const web = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "may hold no user name or password")
  .optional();

/** `Name <name@example.com>`, or the address alone. */
const mailbox = z
  .string()
  .refine((text) => z.email().safeParse(/^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text).success, "is no address")
  .refine((text) => !/[\r\n]/.test(text), "has more than one line")
  .optional();

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const sendingShape = {
  // Nodemailer takes an address without a host for this machine.
  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./ }).optional(),
  MAIL_FROM: mailbox,
  MAIL_REPLY_TO: mailbox,
  DKIM_DOMAIN: word,
  DKIM_SELECTOR: word,
  DKIM_KEY_FILE: word,
  STAFF_EMAILS: emails,
  AGENT_NOTICE: z.enum(["0", "1"]).default("0"),
  SMS_PROVIDER: z.enum(smsProviders).optional(),
  SMS_URL: web,
  SMS_BODY: z
    .string()
    .refine(isJson, "is no JSON")
    .refine((text) => text.includes("{to}") && text.includes("{text}"), "lacks {to} or {text}")
    .default('{"to":"+{to}","from":"{from}","text":"{text}"}'),
  SMS_FROM: z
    .string()
    .regex(/^(\+?\d{3,15}|[A-Za-z0-9 ]{1,11})$/, "is no number, and no name of eleven letters and digits at most")
    .optional(),
  SMS_ACCOUNT: word,
  // A header takes no other letters: each message would end as unknown, though nothing was sent.
  SMS_SECRET: word.refine((text = "") => /^[ -~]*$/.test(text), "has letters that no header takes"),
  SMS_COUNTRIES: z
    .string()
    .regex(/^[1-9]\d{0,3}(,[1-9]\d{0,3})*$/, "is not a list of dial codes such as 61,64")
    .default("61"),
  SMS_REPORT_SECRET: z.string().min(16, "is too short: 16 characters or more").optional(),
  WEBHOOK_URL: web,
  WEBHOOK_SECRET: listOf(/\s+/).pipe(
    z.array(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, "is not whsec_ with 24 bytes or more in base64")),
  ),
  SANDBOX_RECIPIENTS: listOf(",").pipe(
    z.array(
      z.string().regex(/^(\*|[^\s@]+@[^\s@]+|[\d\s+().-]{8,})$/, "is neither * nor a list of addresses and numbers"),
    ),
  ),
  REMINDER_DAYS: z
    .string()
    .default("3,7,14")
    .transform((text) => (text === "off" ? [] : text.split(",")))
    .pipe(
      z
        .array(z.string().regex(/^[1-9]\d?$/, "is neither off nor a list of days such as 3,7,14"))
        .max(5, "has too many days"),
    ),
  MESSAGES_PER_DAY: z.coerce.number().int().min(0).default(5000),
  WORKER: z.enum(["on", "off"]).default("on"),
};

const schema = z.object(sendingShape);
type Values = z.infer<typeof schema>;

/** Which settings have to be set as well, and which is wrong beside another: 'SMS_URL: SMS_PROVIDER=generic needs it'. */
export function wrongTogether(values: Values): string[] {
  const needs = (name: keyof Values, why: string) => (values[name] === undefined ? [`${name}: ${why} needs it`] : []);
  const hasAccount = values.SMS_PROVIDER !== undefined && values.SMS_PROVIDER !== "generic";
  const dkim = (["DKIM_DOMAIN", "DKIM_SELECTOR", "DKIM_KEY_FILE"] as const).filter((name) => values[name]);
  return [
    ...(values.SMS_PROVIDER === "generic" ? needs("SMS_URL", "SMS_PROVIDER=generic") : []),
    ...(values.SMS_PROVIDER ? needs("SMS_FROM", "SMS_PROVIDER") : []),
    ...(hasAccount ? [...needs("SMS_ACCOUNT", "SMS_PROVIDER"), ...needs("SMS_SECRET", "SMS_PROVIDER")] : []),
    ...(values.WEBHOOK_URL && values.WEBHOOK_SECRET.length === 0 ? ["WEBHOOK_SECRET: WEBHOOK_URL needs it"] : []),
    ...idle(values),
    ...(dkim.length === 1 || dkim.length === 2 ? [`${dkim.join(", ")}: DKIM needs all three`] : []),
  ];
}

/** What somebody has set who expects messages that no channel would take. */
function idle({ SMTP_URL, SMS_PROVIDER, WEBHOOK_URL, ...values }: Values): string[] {
  const lacks = (channel: string, given: boolean, name: string) => (given ? [`${channel}: ${name} needs it`] : []);
  return [
    ...(SMTP_URL ? [] : lacks("SMTP_URL", values.STAFF_EMAILS.length > 0, "STAFF_EMAILS")),
    ...(SMTP_URL ? [] : lacks("SMTP_URL", values.AGENT_NOTICE === "1", "AGENT_NOTICE=1")),
    ...(SMTP_URL ? [] : lacks("SMTP_URL", values.MAIL_FROM !== undefined, "MAIL_FROM")),
    ...(SMS_PROVIDER ? [] : lacks("SMS_PROVIDER", values.SMS_FROM !== undefined, "SMS_FROM")),
    ...(WEBHOOK_URL ? [] : lacks("WEBHOOK_URL", values.WEBHOOK_SECRET.length > 0, "WEBHOOK_SECRET")),
  ];
}

export function readSending(values: Values): Sending {
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_KEY_FILE: keyFile } = values;
  return {
    email: values.SMTP_URL
      ? {
          url: values.SMTP_URL,
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
    agentNotice: values.AGENT_NOTICE === "1",
    sandbox: values.SANDBOX_RECIPIENTS,
    // In order: of two that wait, the one that was written first is sent.
    reminderDays: [...new Set(values.REMINDER_DAYS.map(Number))].sort((one, other) => one - other),
    perDay: values.MESSAGES_PER_DAY,
    worker: values.WORKER === "on",
  };
}
