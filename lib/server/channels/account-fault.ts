import { type Outcome, providerUnavailable } from "@/lib/server/outbox/outcome";
import type { MessageChannel } from "@/prisma/generated/client";

/** From this many equal refusals in a row on, the cause is the account, so the messages wait. */
const equalRefusals = 3;

/** The last refusals of each channel, as this process has observed them. */
const lastRefusals = new Map<MessageChannel, { key: string; count: number }>();

/**
 * Postpones what would fail for good if the provider refuses one message after another with the same reply: its sender is not
 * verified, or the account is suspended. Otherwise a list would be lost within seconds. `isForRecipient`: the reply names the recipient
 * as the cause, so it says nothing about the account. The reply is compared without addresses and ids, and is not stored.
 */
export function judgeRefusal(
  channel: MessageChannel,
  outcome: Outcome,
  { reply = "", isForRecipient = false } = {},
): Outcome {
  if (outcome.state === "sent") lastRefusals.delete(channel);
  if (outcome.state !== "failed" || outcome.isDeadAddress || isForRecipient) return outcome;
  // Without the words that name this message: addresses, and ids, which contain digits.
  const words = reply.slice(0, 1000).split(/[\s"'<>()[\]{},;:]+/);
  const key = [outcome.error, ...words.filter((word) => !/[@\d]/.test(word))].join(" ");
  const last = lastRefusals.get(channel);
  const count = last?.key === key ? last.count + 1 : 1;
  lastRefusals.set(channel, { key, count });
  if (count < equalRefusals) return outcome;
  // A webhook keeps the schedule of its specification.
  return channel === "webhook" ? { state: "later", error: outcome.error } : providerUnavailable(outcome.error);
}
