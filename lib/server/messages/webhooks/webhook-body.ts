import "server-only";
import type { About } from "@/lib/server/messages/about";

interface Happened {
  /** application.submitted, application.status_changed, link.opened */
  type: string;
  at: Date;
  /** Grows with every event: what arrives late is put in its place by `timestamp`, and by this within a millisecond. */
  sequence: number;
  /** The new status of application.status_changed; empty for the others. */
  status: string;
  about: Pick<About, "reference" | "status" | "submittedAt"> | null;
}

/** What the receiver gets: nothing personal, and the same bytes in every attempt but for the status when a link is opened. */
export function webhookBody({ type, at, sequence, status, about }: Happened): string {
  return JSON.stringify({ type, timestamp: at, data: { ...(about && dataOf(type, at, status, about)), sequence } });
}

function dataOf(type: string, at: Date, status: string, about: NonNullable<Happened["about"]>) {
  const { reference, submittedAt } = about;
  switch (type) {
    case "application.submitted":
      return { reference, status: "submitted", submittedAt };
    case "application.status_changed":
      return { reference, status, submittedAt };
    default:
      return { reference, status: about.status, openedAt: at };
  }
}
