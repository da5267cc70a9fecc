import PostalMime, { type Attachment } from "postal-mime";
import { isDeadAddress } from "./dead-address";

/** `bounced`: no message can ever reach this address. `undelivered`: this message did not arrive. */
type Ending = "bounced" | "undelivered" | "delivered";

export interface Report {
  /** The Message-ID of our message, without angle brackets. */
  messageId: string;
  outcome: Ending | "complaint";
  /** Such as '5.1.1' (RFC 3463); empty if the report has none. */
  status: string;
}

/** The maximum size of a report in bytes. A report quotes our email, which is far smaller. */
export const maxReportBytes = 1_000_000;
/** The parser takes seconds for very many lines or fields, and nothing else in this process runs meanwhile. */
const maxLines = 10_000;
const maxHeadersSize = 64 * 1024;
const statusIn = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** The feedback types that are complaints: those of RFC 5965 except virus, and opt-outs. Not-spam (RFC 6430) withdraws one. */
const complaints = ["abuse", "fraud", "opt-out", "opt-out-list", "other"];

/** Reads a delivery report (RFC 3464) or a complaint (RFC 5965). Returns null for other emails and for delays. */
export async function readReport(email: Uint8Array): Promise<Report | null> {
  if (email.length > maxReportBytes || linesIn(email) > maxLines) return null;
  const { attachments } = await PostalMime.parse(email, {
    attachmentEncoding: "utf8",
    forceRfc822Attachments: true,
    maxHeadersSize,
  }).catch(() => ({ attachments: [] as Attachment[] }));
  const text = (type: RegExp) => String(attachments.find(({ mimeType }) => type.test(mimeType))?.content ?? "");
  const [original] = groupsOf(text(/^(message\/rfc822|text\/rfc822-headers?)$/));
  const messageId = /^<?([^<>\s\p{Cc}]+)>?(?=\s|$)/u.exec(original?.get("message-id") ?? "")?.[1];
  if (!messageId) return null;
  const [feedback] = groupsOf(text(/^message\/feedback-report$/));
  if (feedback) {
    const isComplaint = complaints.includes(feedback.get("feedback-type")?.toLowerCase() ?? "");
    return isComplaint ? { messageId, outcome: "complaint", status: "" } : null;
  }
  const recipient = groupsOf(text(/^message\/(global-)?delivery-status$/)).find((group) => group.has("action"));
  const { outcome, status } = recipient ? endingOf(recipient) : {};
  return outcome ? { messageId, outcome, status: status ?? "" } : null;
}

const linesIn = (email: Uint8Array) => Buffer.from(email).toString("latin1").split("\n").length;

function endingOf(recipient: Map<string, string>): { outcome?: Ending; status?: string } {
  const action = recipient.get("action")?.toLowerCase();
  if (action === "delivered") return { outcome: "delivered" };
  // Some systems write 'expired' where RFC 3464 specifies 'failed'.
  if (action !== "failed" && action !== "expired") return {};
  const reason = recipient.get("diagnostic-code") ?? "";
  const [general] = statusIn.exec(recipient.get("status") ?? "") ?? [];
  // x.0.0 carries no detail, so a status in the receiver's reply takes precedence.
  const [status = ""] = general && !general.endsWith(".0.0") ? [general] : (statusIn.exec(reason) ?? [general]);
  return { outcome: isDeadAddress(status, reason) ? "bounced" : "undelivered", status };
}

/** Parses groups of fields that are separated by empty lines. Converts names to lower case and unfolds lines. */
function groupsOf(text: string): Map<string, string>[] {
  const groups = text.replace(/\r\n?/g, "\n").trim().split(/\n\n+/);
  return groups.filter(Boolean).map((group) => {
    const lines = group.replace(/\n[ \t]+/g, " ").split("\n");
    return new Map(
      lines.map((line) => {
        const [name = "", ...rest] = line.split(":");
        return [name.trim().toLowerCase(), rest.join(":").trim()];
      }),
    );
  });
}
