import { randomBytes } from "node:crypto";
import type { Brand } from "@/lib/brand";
import { Inbox } from "./received";
import { listenForEmail } from "./smtp-server";
import { serveMailbox } from "./web-server";

export interface Mailbox {
  /** Its page. */
  url: string;
  /** With these the app sends everything here. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** A mail server, an SMS gateway and a receiver of webhooks on this machine, with one page that shows what they took. */
export async function openMailbox(brand: Brand): Promise<Mailbox> {
  const inbox = new Inbox();
  const secrets = { sms: randomBytes(24).toString("hex"), webhook: `whsec_${randomBytes(32).toString("base64")}` };
  const mail = await listenForEmail(inbox);
  const web = await serveMailbox(inbox, secrets, brand);
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    SMS_PROVIDER: "generic",
    SMS_URL: `${web.url}/sms`,
    SMS_BODY: '{"to":"+{to}","from":"{from}","text":"{text}"}',
    // One of the numbers that Australia keeps for films.
    SMS_FROM: "61491570156",
    SMS_SECRET: secrets.sms,
    STAFF_EMAILS: `staff@${brand.supportEmail.split("@")[1]}`,
    WEBHOOK_URL: `${web.url}/webhooks`,
    WEBHOOK_SECRET: secrets.webhook,
    SANDBOX_RECIPIENTS: "*",
  };
  const close = async () => {
    await Promise.all([mail.close(), web.close()]);
  };
  return { url: web.url, settings, close };
}
