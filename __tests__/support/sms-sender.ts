import { sendSms } from "@/lib/server/messages/sms/send-sms";
import { readSettings, replaceSettings } from "@/lib/server/settings";
import { startSmsGateway } from "./sms-gateway";

export const message = { id: "3f0c7a52-1d1e-4c57-9f5e-0b1a2c3d4e5f", to: "61412345678", text: "Hello" };

export const account = { SMS_ACCOUNT: "the-account", SMS_SECRET: "the-secret" };

const production = {
  APP_URL: "https://apply.example",
  SMS_FROM: "Lender",
  ...account,
  SMS_REPORT_SECRET: "sixteen-letters-of-it",
};

/** Starts a gateway for a test file. `sender` returns a `sendSms` that uses it, with these settings in production. */
export function ownGateway() {
  let gateway: Awaited<ReturnType<typeof startSmsGateway>>;
  beforeAll(async () => {
    gateway = await startSmsGateway();
  });
  afterAll(() => gateway.stop());

  function sender(settings: Record<string, string>): typeof sendSms {
    const own = readSettings({ ...process.env, ...production, SMS_URL: gateway.url, ...settings });
    return (message) => {
      replaceSettings(own);
      return sendSms(message);
    };
  }

  return { gateway: () => gateway, sender };
}
