import { z } from "zod";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications, transactionTime } from "@/lib/server/db/locks";
import { cancelSuppressed, suppress, suppressDeadAddress } from "@/lib/server/outbox/suppressions";
import type { Message } from "@/prisma/generated/client";
import { type Ending, endingFor, readReport } from "./read-report";

/** What a report changed. It is 'nothing' if the report matches no message of ours or says nothing new. */
export type ReportOutcome = Ending | "complaint" | "nothing";

/** What a report says about a recipient. It has no outcome if delivery is only delayed. */
export interface Verdict {
  outcome?: Ending | "complaint";
  status?: string;
}

/** Applies one email from the mailbox for delivery reports. Applying the same bounce again changes nothing. */
export async function applyReport(email: Uint8Array): Promise<ReportOutcome> {
  const report = await readReport(email);
  if (!report) return "nothing";
  return applyTo(report.messageId, (recipient) =>
    report.isComplaint ? { outcome: "complaint" } : endingFor(report, recipient),
  );
}

/** Applies what a report says about our message with this id. */
export async function applyTo(messageId: string, judge: (recipient: string) => Verdict): Promise<ReportOutcome> {
  const message = await messageOf(messageId);
  if (!message) return "nothing";
  const { outcome, status = "" } = judge(message.recipient);
  if (!outcome) return "nothing";
  if (outcome === "complaint") {
    const { isNew } = await suppress("email", message.recipient, "a complaint", "");
    return isNew ? "complaint" : "nothing";
  }
  if (outcome === "delivered") {
    const { count } = await prisma().message.updateMany({
      where: { id: message.id, state: { in: ["sent", "unknown"] } },
      data: { state: "delivered", error: "" },
    });
    return count > 0 ? outcome : "nothing";
  }
  const isChanged = await retryOnDeadlock(() => prisma().$transaction((tx) => fail(tx, message, outcome, status)));
  if (isChanged && outcome === "bounced") await cancelSuppressed("email", message.recipient);
  return isChanged ? outcome : "nothing";
}

/** Finds the message by our Message-ID, or by the one with which the mail server replaced it and which it returned to us. */
async function messageOf(messageId: string): Promise<Message | null> {
  const [id = ""] = messageId.split("@");
  // An empty `providerId` would match every message without one, for any stranger who sends a report about '<@x>'.
  const providerIds = [messageId, id].filter((text) => text !== "").map((providerId) => ({ providerId }));
  const candidates = [...providerIds, ...(z.guid().safeParse(id).success ? [{ id }] : [])];
  return prisma().message.findFirst({ where: { channel: "email", recipient: { not: "" }, OR: candidates } });
}

/**
 * Marks the message as failed. Returns false if that changed nothing. While a message is being sent again, no report
 * counts, because it may be about the first attempt.
 */
async function fail(tx: Db, message: Message, outcome: string, status: string): Promise<boolean> {
  const { id, applicationId } = message;
  if (applicationId) await lockApplications(tx, [applicationId]);
  const { count } = await tx.message.updateMany({
    where: {
      id,
      recipient: { not: "" },
      OR: [{ state: { in: ["sent", "delivered", "unknown"] } }, { state: "sending", sentAt: null }],
    },
    data: {
      state: "failed",
      error: `${outcome} ${status}`.trim(),
      // Only if the report arrives before its attempt is recorded: operations may not write this column.
      ...(message.sentAt ? {} : { sentAt: await transactionTime(tx) }),
    },
  });
  if (count === 0) return false;
  if (outcome === "bounced") await suppressDeadAddress(tx, message, status);
  return true;
}
