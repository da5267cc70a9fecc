import "server-only";
import { query } from "@/lib/server/db/query";
import type { Report } from "./adapter";
import { asCode, asId } from "./codes";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Only forward: what has arrived or failed stays so. A report may come before the answer to the attempt, and for one whose
 * answer was lost; then the message's own id tells which it is.
 */
const forward = `
  UPDATE messages SET state = $3::"MessageState", error = $4, "sentAt" = COALESCE("sentAt", now()),
    "providerId" = CASE WHEN "providerId" = '' AND NOT $1[1] = id::text THEN $1[1] ELSE "providerId" END
  WHERE channel = 'sms' AND state IN ('sending', 'sent', 'unknown') AND ("providerId" = ANY ($1) OR id = ANY ($2::uuid[]))`;

/** A message that nobody knows changes nothing. */
export async function noteReport({ ids, state, code }: Extract<Report, { about: "message" }>): Promise<void> {
  const known = ids.flatMap((id) => asId(id) ?? []);
  const error = state === "failed" ? ["not delivered", asCode(code)].filter(Boolean).join(" ") : "";
  await query({ text: forward, values: [known, known.filter((id) => uuid.test(id)), state, error] });
}
