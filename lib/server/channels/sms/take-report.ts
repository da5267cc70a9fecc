import { z } from "zod";
import { normalisePhone } from "@/lib/domain/normalise-phone";
import { countryOf, isPossiblePhone } from "@/lib/domain/phone";
import { isStopWord } from "@/lib/domain/sms-text";
import { refuseForged } from "@/lib/server/channels/report-signature";
import { prisma, withDeadline } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { CallError } from "@/lib/server/http/call-error";
import { readFields } from "@/lib/server/http/read-body";
import { isSameSecret } from "@/lib/server/links/token";
import { optedOutAtProvider, suppress } from "@/lib/server/outbox/suppressions";
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

async function applyReport(report: Report, { provider, countries }: SmsSettings): Promise<void> {
  const { state, from, text, isOptOut } = report;
  if (state) return setState(report, state, adapters[provider].optOutError);
  if (!isOptOut && !(typeof text === "string" && isStopWord(text))) return;
  const digits = senderOf(from, countries);
  // With 200, the provider would believe that the opt-out is recorded.
  if (!digits) throw new CallError(422, "The sender of this opt-out is not a phone number");
  await suppress("sms", digits, "a reply to an SMS", "");
}

/** The E.164 digits of a reply's sender; undefined if it is not a number. Some gateways write it in national format. */
function senderOf(from: unknown, [homeCode = ""]: string[]): string | undefined {
  if (typeof from !== "string" && typeof from !== "number") return undefined;
  const country = countryOf(homeCode)?.code;
  const text = String(from);
  const digits = country ? normalisePhone(text, country) : normalisePhone(text.replace(/^\s*0(?!0)/, homeCode));
  return isPossiblePhone(digits) ? digits : undefined;
}

/**
 * Never changes a message that was delivered or has failed. A report may arrive before the response to its attempt, or after
 * that response was lost. The message is then found by our own id. While a message is being sent again, no report counts,
 * because it may be about the first attempt.
 */
async function setState(
  { ids, code }: Report,
  state: "delivered" | "failed",
  optOutError: string | undefined,
): Promise<void> {
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
  for (const { id, recipient, providerId, sentAt } of reported) {
    const newProviderId = providerId === "" && firstId !== id ? { providerId: firstId } : {};
    const newSentAt = sentAt ? {} : { sentAt: await transactionTime(prisma()) };
    const data = { state, error, ...newProviderId, ...newSentAt };
    // A late report about an earlier attempt of a message that was sent again has that attempt's id. It is compared in this
    // statement, because the provider's response may be recorded in the meantime: of this attempt, or of a newer one.
    const theirIds = reportedIds.filter((reportedId) => reportedId !== id);
    const isTheirs = theirIds.length > 0 ? { providerId: { in: ["", ...theirIds] } } : {};
    await prisma().message.updateMany({ where: { id, ...pending, ...isTheirs }, data });
    if (state === "failed" && optOutError && parseProviderCode(code) === optOutError)
      await suppress("sms", recipient, optedOutAtProvider, "");
  }
}
