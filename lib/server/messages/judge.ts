import "server-only";
import { isOpen, nextOpening } from "@/lib/domain/business-hours";
import { writtenPhone } from "@/lib/server/invitations/written-phone";
import { kindOf } from "@/lib/server/messages/outbox/kinds";
import type { Settings } from "@/lib/server/settings";
import type { About } from "./about";
import type { Claimed } from "./claim";
import type { Ending } from "./finish";

type Terms = Pick<Settings, "isThisMachine" | "sending" | "brand">;

const cancelled = (error: string): Ending => ({ state: "cancelled", error });

/** Why a message is not to be sent, or not now; null if it is. Much may have happened since it was written. */
export function judge(message: Claimed, about: About | null, terms: Terms, now: Date): Ending | null {
  const { kind, channel, recipient, isUncertain } = message;
  if (isUncertain && channel === "sms") return { state: "unknown", error: "the worker ended" };
  if (channel === "webhook") return null;
  if (recipient === "" || about?.isErased) return cancelled("erased");
  if (!isAllowed(recipient, terms)) return cancelled("not in SANDBOX_RECIPIENTS");
  if (!about) return null;
  if (kind === "fresh-link") return judgeFreshLink(about);
  if (kind === "status") return judgeStatus(message, about);
  if (!kindOf(kind).isCommercial) return null;
  return judgeCommercial(message, about, terms, now);
}

/** Somebody who has opted out asks for no message by a dead link, which anybody may hold. */
function judgeFreshLink({ isRevoked, isStopped }: About): Ending | null {
  if (isRevoked) return cancelled("revoked");
  return isStopped ? cancelled("stopped") : null;
}

/** It reports the current status: each change has a message of its own, and only the last is true. */
function judgeStatus({ detail }: Claimed, { status, hasLaterStatus }: About): Ending | null {
  return status !== detail || hasLaterStatus ? cancelled("the status has changed") : null;
}

/** An opening is no answer, since scanners open links: only a submission ends the reminders, or somebody's word. */
function judgeCommercial({ kind }: Claimed, about: About, { brand }: Terms, now: Date): Ending | null {
  if (about.isStopped) return cancelled("stopped");
  if (about.status !== "draft") return cancelled("submitted");
  if (about.liveUntil === null) return cancelled(about.isRevoked ? "revoked" : "expired");
  if (kind !== "reminder") return null;
  if (about.isCollapsed) return cancelled("one of them is enough");
  if (isOpen(now, brand.timeZone)) return null;
  return { state: "postponed", until: nextOpening(now, brand.timeZone), error: "outside business hours" };
}

/** Outside production only the sandbox is written to. */
export function isAllowed(
  recipient: string,
  { isThisMachine, sending }: Pick<Settings, "isThisMachine" | "sending">,
): boolean {
  if (!isThisMachine) return true;
  return sending.sandbox.some((one) => one === "*" || writtenPhone(one).toLowerCase() === recipient.toLowerCase());
}
