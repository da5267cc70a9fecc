import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/db/application-row";

/** Which applications a list holds. */
export interface Filter {
  /** None: all. */
  statuses: ApplicationStatus[];
  /** Submitted since then; those that are not submitted: invited since then. */
  since: Date | null;
}

/** When an application came to be what it is: submitted, or else invited. */
export const cameAt = `COALESCE(a."submittedAt", a."createdAt")`;

/** A condition on `applications AS a`; its values are $1 and $2. */
export const matches = `(cardinality($1::"ApplicationStatus"[]) = 0 OR a.status = ANY ($1::"ApplicationStatus"[]))
  AND ($2::timestamptz IS NULL OR ${cameAt} >= $2::timestamptz)`;

export function valuesOf({ statuses, since }: Filter): unknown[] {
  return [statuses.map(storedStatus), since];
}
