import "server-only";
import { senderQuery } from "@/lib/server/database/sender-pool";
import type { Claimed } from "./claim";

/** What was submitted from the submission that made a digest due up to the one that made the next. */
export function submissionsOf({ recipient, number, createdAt }: Claimed) {
  const text = `SELECT reference, "submittedAt" FROM applications
    WHERE "submittedAt" >= $1 AND "submittedAt" < COALESCE((
      SELECT min("createdAt") FROM messages WHERE kind = 'staff-digest' AND recipient = $2 AND number > $3
    ), 'infinity') ORDER BY "submittedAt"`;
  return senderQuery<{ reference: string; submittedAt: Date }>({ text, values: [createdAt, recipient, number] });
}
