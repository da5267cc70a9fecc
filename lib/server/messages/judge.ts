import "server-only";
import { isOpen, nextOpening } from "@/lib/domain/business-hours";
import { normalisePhone } from "@/lib/server/invitations/normalise-phone";
import { kindOf } from "@/lib/server/messages/outbox/kinds";
import type { Settings } from "@/lib/server/settings";
import type { Claimed } from "./claim";
import type { MessageContext } from "./message-context";
import type { Outcome } from "./outcome";

type Terms = Pick<Settings, "isThisMachine" | "SANDBOX_RECIPIENTS" | "brand">;

const cancelled = (error: string): Outcome => ({ state: "cancelled", error });

/** Why a message is not to be sent, or not now; null if it is. Much may have happened since it was written. */
export function judge(message: Claimed, context: MessageContext | null, terms: Terms, now: Date): Outcome | null {
  const { kind, channel, recipient, isUncertain } = message;
  if (isUncertain && channel === "sms") return { state: "unknown", error: "the worker ended" };
  if (channel === "webhook") return null;
  if (recipient === "" || context?.isErased) return cancelled("erased");
  if (!isAllowed(recipient, terms)) return cancelled("not in SANDBOX_RECIPIENTS");
  if (!context) return null;
  // It was tried again after the contact was corrected.
  if (kindOf(kind).link === "always" && !context.isToInvited) return cancelled("the contact was corrected");
  if (kind === "fresh-link") return judgeFreshLink(context);
  if (kind === "status") return judgeStatus(message, context);
  if (!kindOf(kind).isCommercial) return null;
  return judgeCommercial(message, context, terms, now);
}

/** Somebody who has opted out asks for no message by a dead link, which anybody may hold. */
function judgeFreshLink({ isRevoked, isStopped }: MessageContext): Outcome | null {
  if (isRevoked) return cancelled("revoked");
  return isStopped ? cancelled("stopped") : null;
}

/** It reports the current status, and is the last to do so. */
function judgeStatus({ detail }: Claimed, { status, hasLaterReport }: MessageContext): Outcome | null {
  if (status !== detail) return cancelled("the status has changed");
  return hasLaterReport ? cancelled("a later email reports this status") : null;
}

/** An opening is no answer, since scanners open links: only a submission ends the reminders, or somebody's word. */
function judgeCommercial({ kind }: Claimed, context: MessageContext, { brand }: Terms, now: Date): Outcome | null {
  if (context.isStopped) return cancelled("stopped");
  if (context.status !== "draft") return cancelled("submitted");
  if (context.liveUntil === null) return cancelled(context.isRevoked ? "revoked" : "expired");
  if (kind !== "reminder") return null;
  if (context.isCollapsed) return cancelled("one of them is enough");
  if (isOpen(now, brand.timeZone)) return null;
  return { state: "later", error: "outside business hours", isUntried: true, until: nextOpening(now, brand.timeZone) };
}

/** Outside production only the sandbox is written to. */
export function isAllowed(
  recipient: string,
  { isThisMachine, SANDBOX_RECIPIENTS }: Pick<Settings, "isThisMachine" | "SANDBOX_RECIPIENTS">,
): boolean {
  if (!isThisMachine) return true;
  return SANDBOX_RECIPIENTS.some((one) => one === "*" || normalisePhone(one).toLowerCase() === recipient.toLowerCase());
}
