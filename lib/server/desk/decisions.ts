import {
  type ApplicationStatus,
  type StatusAfterSubmission,
  statuses,
  statusesAfterSubmission,
} from "@/lib/domain/statuses";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { refuseIfChanged } from "@/lib/server/applications/refuse-if-changed";
import { setStatuses } from "@/lib/server/applications/set-status";
import { prisma } from "@/lib/server/db/client";
import { Refusal } from "@/lib/server/refusal";
import { currentSettings } from "@/lib/server/settings";
import { mayDo, type Right } from "./rights";
import type { Person } from "./sessions";

/** The buttons of an approver, by the status that they set. */
export const decisionButtons = {
  approved: "Approve",
  declined: "Decline",
  withdrawn: "Withdraw",
  paid: "Mark as paid",
} as const satisfies Partial<Record<StatusAfterSubmission, string>>;
export type DecisionStatus = keyof typeof decisionButtons;

/** The decisions that may follow each status. A mistake that was noticed after its email is corrected by another decision. */
const following: Record<ApplicationStatus, DecisionStatus[]> = {
  draft: [],
  submitted: ["approved", "declined", "withdrawn"],
  "in-review": ["approved", "declined", "withdrawn"],
  approved: ["paid", "declined", "withdrawn"],
  declined: ["approved", "withdrawn"],
  withdrawn: ["approved", "declined"],
  paid: ["approved"],
};
export const decisionsAfter = (status: ApplicationStatus) => following[status];

/** What the page showed when its form was sent. */
export interface Shown {
  status: string;
  /** The id of the last event. */
  version: string;
  isErased: boolean;
}

/** What must be unchanged once the application is locked. */
const asSeen = (before: StatusAfterSubmission, { isErased, version }: Shown) => ({ before, isErased, seen: version });

/** Sets the status that a button of the desk names, if it may follow the one that was shown. */
export async function decide(typedReference: string, to: string, reason: string, shown: Shown, by: string) {
  const before = statusesAfterSubmission.find((status) => status === shown.status);
  const status = before && decisionsAfter(before).find((candidate) => candidate === to);
  if (!before || !status) throw new Refusal(`The status cannot be changed from ${shown.status} to ${to}.`);
  await setStatuses([{ reference: typedReference, status, reason, ...asSeen(before, shown) }], { by });
}

/** A clerk may start a review, but not take back a decision by doing so. */
export async function startReview(typedReference: string, shown: Shown, by: string) {
  await setStatuses([{ reference: typedReference, status: "in-review", ...asSeen("submitted", shown) }], { by });
}

interface StatusEvent {
  at: Date | string;
  /** Such as 'approved (was in-review)', or 'approved' after 'submitted'. */
  detail: string;
  reason?: string;
}

/** The reason of a change that an Undo made. */
const undone = "Undone";

export interface Undo {
  from: StatusAfterSubmission;
  to: StatusAfterSubmission;
  until: Date;
  right: Right;
}

const statusIn = (words = "submitted") => statusesAfterSubmission.find((status) => status === words);

function readChange(event: StatusEvent | undefined) {
  const [, after, before] = /^(\S+)(?: \(was (\S+)\))?$/.exec(event?.detail ?? "") ?? [];
  const [from, to] = [after && statusIn(after), statusIn(before)];
  return event && from && to ? { from, to } : null;
}

/** What 'Undo' does while the email about the last change waits; null afterwards, and after an Undo. */
export function undoOf(changes: StatusEvent[], now = new Date()): Undo | null {
  const last = changes.at(-1);
  const change = readChange(last);
  if (!last || !change) return null;
  const until = new Date(+new Date(last.at) + currentSettings().STATUS_DELAY_MINUTES * 60_000);
  const { after } = statuses[change.to];
  if (until <= now || last.reason === undone || (after && after !== change.from)) return null;
  const isReview = change.from === "in-review" && change.to === "submitted";
  return { ...change, until, right: isReview ? "start-review" : "decide" };
}

/** Sets the status back to what it was. Its email, which still waits, is not sent. */
export async function undo(typedReference: string, shown: Shown, { by, role }: Pick<Person, "by" | "role">) {
  const application = await findByReference(typedReference);
  // What changed says more than that the time is over.
  await refuseIfChanged(prisma(), application, shown.version);
  const where = { applicationId: application.id, kind: "status_changed" as const };
  const planned = undoOf(await prisma().event.findMany({ where, orderBy: { id: "asc" } }));
  if (!planned) throw new Refusal("The time in which this can be undone is over.");
  if (!mayDo(role, planned.right)) throw new Refusal("Only an approver may do this.");
  const { from: before, to: status } = planned;
  // After an erasure no reason is recorded.
  const reason = shown.isErased ? "" : undone;
  await setStatuses([{ reference: typedReference, status, reason, ...asSeen(before, shown) }], { by });
  return status;
}
