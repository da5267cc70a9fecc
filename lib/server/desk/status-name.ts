import { type ApplicationStatus, statuses } from "@/lib/domain/statuses";

/** A status as the landlord reads it. A draft has none on its screens. */
export const statusName = (status: ApplicationStatus) => (status === "draft" ? "Draft" : statuses[status].name);
