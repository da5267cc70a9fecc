import type { SubmittedStatus } from "@/lib/domain/journey";
import { type Decision, setStatuses, type Terms } from "@/lib/server/applications/set-status";

export async function setStatus(
  reference: string,
  status: SubmittedStatus,
  { reason, before, ...terms }: Terms & Pick<Decision, "reason" | "before">,
) {
  const [changed] = await setStatuses([{ reference, status, reason, before }], terms);
  if (!changed) throw new Error(`The status of ${reference} was not set.`);
  return changed;
}
