import "server-only";
import { inGsm7, mostSegments, segmentsOf } from "@/lib/domain/sms-text";
import type { Outcome } from "@/lib/server/messages/outcome";
import { currentSettings } from "@/lib/server/settings";
import type { Sms } from "./adapter";
import { adapters, reportPath } from "./adapters";
import { ask } from "./ask";

/** Sends one text to one number by the provider that is set up, and says what came of it. */
export async function sendSms(message: Sms): Promise<Outcome> {
  const { appUrl, isThisMachine, sending } = currentSettings();
  const { sms } = sending;
  if (!sms) return { state: "away", error: "SMS_PROVIDER is not set" };
  if (!sms.countries.some((code) => message.to.startsWith(code)))
    return { state: "failed", error: "country not allowed" };
  const text = inGsm7(message.text);
  const segments = segmentsOf(text);
  if (segments > mostSegments) return { state: "failed", error: `${segments} segments` };
  const adapter = adapters[sms.provider];
  // Twilio refuses a message whose reports it cannot deliver.
  const reportsTo = isThisMachine ? undefined : new URL(`${appUrl}${reportPath}`);
  return ask(adapter, adapter.request(sms, { ...message, text }, reportsTo));
}
