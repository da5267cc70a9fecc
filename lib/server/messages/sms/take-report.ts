import "server-only";
import { isStopWord } from "@/lib/domain/sms-text";
import { prisma, withDeadline } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";
import { refuseOtherSites } from "@/lib/server/http/call";
import { CallError } from "@/lib/server/http/call-error";
import { readFields } from "@/lib/server/http/read-body";
import { suppress } from "@/lib/server/messages/suppressions";
import { currentSettings } from "@/lib/server/settings";
import type { Prisma } from "@/prisma/generated/client";
import { asCode, asId, type Report, type SmsSettings } from "./adapter";
import { adapters, reportPath } from "./send-sms";

/** A report on no message of ours, or of a state that is not the last, changes nothing; the answer is the same. */
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
  if (report) await withDeadline(() => note(report, sms));
}

async function note(report: Report, { countries: [home = ""] }: SmsSettings): Promise<void> {
  if (report.type === "message") await setState(report);
  else if (isStopWord(report.text) && /\d/.test(report.from))
    await suppress("sms", numberOf(report.from, home), "a reply to an SMS", "");
}

/** As numbers are stored: digits, dial code first. Some gateways write a number as it is called at home. */
function numberOf(from: string, home: string): string {
  const digits = from.replace(/\D/g, "").replace(/^00/, "");
  return digits.replace(/^0/, home);
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Only forward: what has arrived or failed stays so. A report may come before the answer to the attempt, and for one whose
 * answer was lost; then the message's own id says which it is.
 */
async function setState({ ids, state, code }: Extract<Report, { type: "message" }>): Promise<void> {
  const known = ids.flatMap((id) => asId(id) ?? []);
  const error = state === "failed" ? ["not delivered", asCode(code)].filter(Boolean).join(" ") : "";
  const underWay = {
    channel: "sms",
    state: { in: ["sending", "sent", "unknown"] },
    // Not after an erasure: the provider's id, which is stored here, leads to the number.
    recipient: { not: "" },
  } satisfies Prisma.MessageWhereInput;
  const reported = await prisma().message.findMany({
    where: { ...underWay, OR: [{ providerId: { in: known } }, { id: { in: known.filter((id) => uuid.test(id)) } }] },
  });
  const [first = ""] = known;
  for (const { id, providerId, sentAt } of reported) {
    const named = providerId === "" && first !== id ? { providerId: first } : {};
    const sent = sentAt ? {} : { sentAt: await databaseNow(prisma()) };
    await prisma().message.updateMany({ where: { id, ...underWay }, data: { state, error, ...named, ...sent } });
  }
}
