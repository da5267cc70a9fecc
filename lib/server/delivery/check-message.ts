import { isOpen, nextOpening } from "@/lib/domain/business-hours";
import { normalisePhone } from "@/lib/domain/normalise-phone";
import type { MessageContext } from "@/lib/server/outbox/message-context";
import { messageKindOf } from "@/lib/server/outbox/message-kinds";
import { type Outcome, workerEnded } from "@/lib/server/outbox/outcome";
import { correctedError, insteadOfEmail, stoppedError } from "@/lib/server/outbox/reachability";
import { appUrlCaveat } from "@/lib/server/sending-settings";
import { currentSettings } from "@/lib/server/settings";
import type { Claimed } from "./claim";

type Checked = Pick<Claimed, "kind" | "channel" | "recipient" | "detail" | "firstDueAt">;

/** Why a message waits whose hour nobody chose, such as a reminder. */
export const outsideHours = "outside business hours";

/** Why a reminder is cancelled that is due while another message would say the same. */
export const supersededError = "superseded by another invitation or reminder";

const cancelled = (error: string): Outcome => ({ state: "cancelled", error });

/** Returns why a message must not be sent, or not yet, and null if it may. Its application may have changed in the meantime. */
export function checkMessage(
  message: Checked & Pick<Claimed, "isUncertain">,
  context: MessageContext | null,
  now: Date,
): Outcome | null {
  const { channel, recipient, isUncertain } = message;
  if (isUncertain && channel === "sms") return workerEnded;
  if (channel !== "webhook" && recipient !== "" && !isAllowed(recipient)) return cancelled("not in SANDBOX_RECIPIENTS");
  return checkApplication(message, context, now);
}

/** The part that depends only on the database, not on the app's settings, which a command may not know. */
export function checkApplication(message: Checked, context: MessageContext | null, now: Date): Outcome | null {
  const { kind, channel, recipient } = message;
  if (channel === "webhook") return null;
  // An erasure empties the recipients. Whoever fills in the application again gives new ones.
  if (recipient === "") return cancelled("erased");
  if (!context) return null;
  // A retried message may still have the contact from before a correction.
  if (messageKindOf(kind).link === "always" && !context.isToInvited) return cancelled(correctedError);
  if (kind === "fresh-link") return checkFreshLink(context);
  if (kind === "status") return checkStatus(message, context);
  if (!messageKindOf(kind).isCommercial) return null;
  return checkCommercial(message, context, now);
}

/** A request with an expired link does not override an opt-out, because anyone may hold that link. */
function checkFreshLink({ isRevoked, isStopped }: MessageContext): Outcome | null {
  if (isRevoked) return cancelled("revoked");
  return isStopped ? cancelled(stoppedError) : null;
}

/** Only the latest email about the current status is sent. */
function checkStatus({ detail }: Checked, { status, hasLaterReport }: MessageContext): Outcome | null {
  if (status !== detail) return cancelled("the status has changed");
  return hasLaterReport ? cancelled("a later email reports this status") : null;
}

/** Somebody chose the hour at which an invitation was first due. After an outage or at the daily cap, it may be the middle of the night. */
const maxLateMs = 3_600_000;

function isLateSms({ channel, firstDueAt }: Checked, now: Date): boolean {
  return channel === "sms" && firstDueAt !== null && now.getTime() - firstDueAt.getTime() > maxLateMs;
}

/**
 * Opening a link does not end the reminders, because mail scanners open links, too. A submission or an opt-out does. Nobody chose
 * the time of a reminder, of an SMS in place of a bounced email or of a late SMS, so they wait for business hours.
 */
function checkCommercial(message: Checked, context: MessageContext, now: Date): Outcome | null {
  const { kind, detail } = message;
  const { timeZone } = currentSettings().brand;
  if (context.isStopped) return { ...cancelled(stoppedError), ...(context.isDead ? { isDeadAddress: true } : {}) };
  if (context.status !== "draft") return cancelled("submitted");
  if (context.liveUntil === null) return cancelled(context.isRevoked ? "revoked" : "expired");
  if (kind !== "reminder" && detail !== insteadOfEmail && !isLateSms(message, now)) return null;
  if (kind === "reminder" && context.hasOtherInvitation) return cancelled(supersededError);
  if (isOpen(now, timeZone)) return null;
  return { state: "later", error: outsideHours, isUncounted: true, until: nextOpening(now, timeZone) };
}

/** While APP_URL is this machine, only SANDBOX_RECIPIENTS receive messages. */
export function isAllowed(recipient: string): boolean {
  const { isThisMachine, SANDBOX_RECIPIENTS } = currentSettings();
  if (!isThisMachine) return true;
  return SANDBOX_RECIPIENTS.some(
    (allowed) => allowed === "*" || normalisePhone(allowed).toLowerCase() === recipient.toLowerCase(),
  );
}

/** Why nothing is sent to this address while APP_URL is this machine; undefined if it may be sent. */
export function sandboxRefusal(recipient: string): string | undefined {
  return isAllowed(recipient) ? undefined : `${recipient} is not in SANDBOX_RECIPIENTS${appUrlCaveat()}`;
}
