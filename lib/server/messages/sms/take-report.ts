import { z } from "zod";
import { isStopWord } from "@/lib/domain/sms-text";
import { prisma, withDeadline } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/statements";
import { CallError } from "@/lib/server/http/call-error";
import { readFields } from "@/lib/server/http/read-body";
import { isSameSecret } from "@/lib/server/links/token";
import { refuseForged } from "@/lib/server/messages/report-signature";
import { suppress } from "@/lib/server/messages/suppressions";
import { currentSettings } from "@/lib/server/settings";
import type { Prisma } from "@/prisma/generated/client";
import { parseProviderCode, parseProviderId, type Report, type SmsSettings } from "./adapter";
import { adapters, reportPath } from "./send-sms";

/**
 * Accepts a provider's report. An unknown message or a state that is not final changes nothing and gets the same response. A
 * genuine report is accepted even from an address that has sent too many others.
 */
export async function takeReport(request: Request, { address }: { address: string }): Promise<void> {
  const { appUrl, sending } = currentSettings();
  const { sms } = sending;
  if (!sms?.reportSecret) throw new CallError(404, "There is no such endpoint");
  const adapter = adapters[sms.provider];
  const { body, fields } = await readFields(request);
  // Behind a proxy, request.url does not contain the public host, which the signature may cover.
  const url = new URL(`${appUrl}${reportPath}${new URL(request.url).search}`);
  const call = { url, headers: request.headers, body, fields };
  const hasKey = isSameSecret(url.searchParams.get("key") ?? "", sms.reportSecret);
  if (!(adapter.isGenuine?.(call, sms.reportSecret) ?? hasKey)) await refuseForged(address);
  const report = adapter.report(call);
  await withDeadline(() => applyReport(report, sms));
}

async function applyReport(report: Report, { countries: [homeCode = ""] }: SmsSettings): Promise<void> {
  const { state, from, text } = report;
  if (state) await setState(report, state);
  else if (typeof from === "string" && typeof text === "string" && isStopWord(text) && /\d/.test(from)) {
    // Numbers are stored as E.164 digits. Some gateways write them in national format.
    const digits = from.replace(/\D/g, "").replace(/^00/, "").replace(/^0/, homeCode);
    await suppress("sms", digits, "a reply to an SMS", "");
  }
}

/**
 * Never changes a message that was delivered or has failed. A report may arrive before the response to its attempt, or after
 * that response was lost. The message is then found by our own id. While a message is being sent again, no report counts,
 * because it may be about the first attempt.
 */
async function setState({ ids, code }: Report, state: "delivered" | "failed"): Promise<void> {
  const reportedIds = ids.flatMap((id) => parseProviderId(id) ?? []);
  const ownIds = reportedIds.filter((id) => z.guid().safeParse(id).success);
  const error = state === "failed" ? ["not delivered", parseProviderCode(code)].filter(Boolean).join(" ") : "";
  const pending = {
    channel: "sms",
    OR: [{ state: { in: ["sent", "unknown"] } }, { state: "sending", sentAt: null }],
    // Nothing is stored after an erasure, because the provider's id leads to the number.
    recipient: { not: "" },
  } satisfies Prisma.MessageWhereInput;
  const reported = await prisma().message.findMany({
    where: { ...pending, AND: { OR: [{ providerId: { in: reportedIds } }, { id: { in: ownIds } }] } },
  });
  const [firstId = ""] = reportedIds;
  for (const { id, providerId, sentAt } of reported) {
    const newProviderId = providerId === "" && firstId !== id ? { providerId: firstId } : {};
    const newSentAt = sentAt ? {} : { sentAt: await transactionTime(prisma()) };
    const data = { state, error, ...newProviderId, ...newSentAt };
    // A late report about an earlier attempt of a message that was sent again has that attempt's id. It is compared in this
    // statement, because the provider's response may be recorded in the meantime: of this attempt, or of a newer one.
    const theirIds = reportedIds.filter((reportedId) => reportedId !== id);
    const isTheirs = theirIds.length > 0 ? { providerId: { in: ["", ...theirIds] } } : {};
    await prisma().message.updateMany({ where: { id, ...pending, ...isTheirs }, data });
  }
}
