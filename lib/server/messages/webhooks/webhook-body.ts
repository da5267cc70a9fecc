import "server-only";
import type { About } from "@/lib/server/messages/about";

interface Happening {
  type: string;
  at: Date;
  /** Orders what happened. */
  sequence: number;
  /** The status that it was set to; empty for other types. */
  status: string;
  about: About | null;
}

/** Thin: what happened, when, to which application. Nothing personal. */
export function webhookBody({ type, at, sequence, status, about }: Happening): string {
  const data = { reference: about?.reference, status: status || about?.status, sequence };
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
