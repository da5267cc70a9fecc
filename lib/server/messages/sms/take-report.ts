import "server-only";
import { isStopWord } from "@/lib/domain/sms-text";
import { inTime } from "@/lib/server/db/in-time";
import { refuseOtherSites } from "@/lib/server/http/call";
import { CallError } from "@/lib/server/http/call-error";
import { readFields } from "@/lib/server/http/read-body";
import { suppress } from "@/lib/server/messages/suppressions";
import { currentSettings } from "@/lib/server/settings";
import type { Report, SmsSettings } from "./adapter";
import { adapters, reportPath } from "./adapters";
import { noteReport } from "./note-report";

/** What it tells of no message of ours, or of a state that is not the last, changes nothing; the answer is the same. */
export async function takeReport(request: Request): Promise<void> {
  refuseOtherSites(request);
  const { appUrl, sending } = currentSettings();
  const { sms } = sending;
  const secret = sms && adapters[sms.provider].reportSecret(sms);
  if (!sms || !secret) throw new CallError(404, "There is no such call");
  const adapter = adapters[sms.provider];
  const { body, fields } = await readFields(request);
  // Behind a proxy the request does not know its own host.
  const url = new URL(`${appUrl}${reportPath}${new URL(request.url).search}`);
  const call = { url, headers: request.headers, body, fields };
  if (!adapter.isGenuine(call, secret)) throw new CallError(401, "The signature is wrong");
  const report = adapter.report(call);
  if (report) await inTime(() => note(report, sms));
}

async function note(report: Report, { countries: [home = ""] }: SmsSettings): Promise<void> {
  if (report.about === "message") await noteReport(report);
  else if (isStopWord(report.text) && /\d/.test(report.from))
    await suppress("sms", numberOf(report.from, home), "a reply to an SMS", "");
}

/** As numbers are stored: digits, dial code first. Some gateways tell a number as it is called at home. */
function numberOf(from: string, home: string): string {
  const digits = from.replace(/\D/g, "").replace(/^00/, "");
  return digits.replace(/^0/, home);
}
