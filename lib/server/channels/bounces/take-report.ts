import { z } from "zod";
import { isSigned, refuseForged } from "@/lib/server/channels/report-signature";
import { withDeadline } from "@/lib/server/db/client";
import { CallError } from "@/lib/server/http/call-error";
import { readFields } from "@/lib/server/http/read-body";
import { currentSettings } from "@/lib/server/settings";
import { applyTo, type Verdict } from "./apply-report";
import { decidingStatus, hasOtherCause } from "./dead-address";
import { messageIdIn } from "./read-report";

const reportSchema = z.object({
  id: z.string().transform(messageIdIn).pipe(z.string()),
  state: z.enum(["bounced", "complained", "undelivered"]),
  reason: z.string().nullish(),
});

/** Accepts what a mail provider reports by a call. An unknown message changes nothing and gets the same response. */
export async function takeEmailReport(request: Request, { address }: { address: string }): Promise<void> {
  const { EMAIL_REPORT_SECRET: secret } = currentSettings();
  if (!secret) throw new CallError(404, "There is no such endpoint");
  const { body, fields } = await readFields(request);
  if (!isSigned({ headers: request.headers, body }, secret)) await refuseForged(address);
  const { data } = reportSchema.safeParse(fields);
  if (!data) throw new CallError(422, "A report has an id, and the state bounced, complained or undelivered");
  await withDeadline(() => applyTo(data.id, () => verdictOf(data)));
}

/** Some providers call every permanent failure a bounce, so a reason that names another cause than the address decides. */
function verdictOf({ state, reason }: z.infer<typeof reportSchema>): Verdict {
  if (state === "complained") return { outcome: "complaint" };
  const status = decidingStatus("", reason ?? "");
  const isBounce = state === "bounced" && !hasOtherCause(status, reason ?? "");
  return { outcome: isBounce ? "bounced" : "undelivered", status };
}
