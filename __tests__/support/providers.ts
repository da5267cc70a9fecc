import type { SMTPServerOptions } from "smtp-server";
import { closeEmail } from "@/lib/server/channels/email/send-email";
import { type MailServer, startMailServer } from "./mail-server";
import { type Receiver, startReceiver } from "./receiver";
import { startSmsGateway } from "./sms-gateway";

interface Providers {
  mail: MailServer;
  gateway: Awaited<ReturnType<typeof startSmsGateway>>;
  receiver: Receiver;
}

/** Settings of every channel, for tests that send nothing: nothing listens at these addresses. */
export const unreachableProviders = {
  SMTP_URL: "smtp://127.0.0.1:1",
  SMS_PROVIDER: "generic",
  SMS_URL: "http://127.0.0.1:1",
  SMS_FROM: "61400000000",
  WEBHOOK_URL: "http://127.0.0.1:1",
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString("base64")}`,
};

/** Starts a mail server for a test file, and sets the app up to send email alone. */
export function ownMailServer(settings: Record<string, string> = {}, options?: SMTPServerOptions): MailServer {
  const server = {} as MailServer;
  beforeAll(async () => {
    Object.assign(server, await startMailServer(options));
    Object.assign(process.env, { SMTP_URL: server.url, SANDBOX_RECIPIENTS: "*", ...settings });
  });
  afterAll(async () => {
    closeEmail();
    await server.stop();
  });
  return server;
}

/** Starts a mail server, an SMS gateway and a receiver of webhooks for a test file, and sets the app up to use them. */
export function ownProviders(settings: Record<string, string> = {}): Providers {
  const providers = {} as Providers;
  beforeAll(async () => {
    const [mail, gateway, receiver] = await Promise.all([startMailServer(), startSmsGateway(), startReceiver()]);
    Object.assign(providers, { mail, gateway, receiver });
    Object.assign(process.env, {
      ...unreachableProviders,
      SMTP_URL: mail.url,
      SMS_URL: gateway.url,
      WEBHOOK_URL: receiver.url,
      SANDBOX_RECIPIENTS: "*",
      ...settings,
    });
  });
  afterAll(async () => {
    closeEmail();
    await Promise.all([providers.mail.stop(), providers.gateway.stop(), providers.receiver.stop()]);
  });
  return providers;
}
