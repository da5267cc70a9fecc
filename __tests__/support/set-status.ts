import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { type ChangeOptions, type Decision, setStatuses } from "@/lib/server/applications/set-status";

export async function setStatus(
  reference: string,
  status: StatusAfterSubmission,
  { reason, before, ...options }: ChangeOptions & Pick<Decision, "reason" | "before">,
) {
  const [changed] = await setStatuses([{ reference, status, reason, before }], options);
  if (!changed) throw new Error(`The status of ${reference} was not set.`);
  return changed;
}
