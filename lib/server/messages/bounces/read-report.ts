import PostalMime, { type Attachment } from "postal-mime";
import { isDeadAddress } from "./dead-address";

/** `bounced`: no message can ever reach this address. `undelivered`: this message did not arrive. */
export type Ending = "bounced" | "undelivered" | "delivered" | "complaint";

/** What a report says about one recipient. */
interface Finding {
  /** Undefined for a delay. */
  outcome: Ending | undefined;
  /** Such as '5.1.1' (RFC 3463); empty if the report has none. */
  status: string;
  /** The recipient's original and final address (RFC 3464), in lower case. */
  addresses: string[];
}

export interface Report {
  /** The Message-ID of our message, without angle brackets. */
  messageId: string;
  findings: Finding[];
}

/** The maximum size of a report in bytes. A report quotes our email, which is far smaller. */
export const maxReportBytes = 1_000_000;
/** The parser takes seconds for very many lines or fields, and nothing else in this process runs meanwhile. */
const maxLines = 10_000;
const maxHeadersSize = 64 * 1024;
const statusIn = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** The feedback types that are complaints: those of RFC 5965 except virus, and opt-outs. Not-spam (RFC 6430) withdraws one. */
const complaints = ["abuse", "fraud", "opt-out", "opt-out-list", "other"];

/** Reads a delivery report (RFC 3464) or a complaint (RFC 5965). Returns null for other emails. */
export async function readReport(email: Uint8Array): Promise<Report | null> {
  if (email.length > maxReportBytes || linesIn(email) > maxLines) return null;
  const { attachments } = await PostalMime.parse(email, {
    attachmentEncoding: "utf8",
    forceRfc822Attachments: true,
    maxHeadersSize,
  }).catch(() => ({ attachments: [] as Attachment[] }));
  const text = (type: RegExp) => String(attachments.find(({ mimeType }) => type.test(mimeType))?.content ?? "");
  const [original] = groupsOf(text(/^(message\/(rfc822|global(-headers)?)|text\/rfc822-headers?)$/));
  const messageId = /^<?([^<>\s\p{Cc}]+)>?(?=\s|$)/u.exec(original?.get("message-id") ?? "")?.[1];
  if (!messageId) return null;
  const [feedback] = groupsOf(text(/^message\/feedback-report$/));
  if (feedback) {
    const isComplaint = complaints.includes(feedback.get("feedback-type")?.toLowerCase() ?? "");
    return isComplaint ? { messageId, findings: [{ outcome: "complaint", status: "", addresses: [] }] } : null;
  }
  const recipients = groupsOf(text(/^message\/(global-)?delivery-status$/)).filter((group) => group.has("action"));
  return { messageId, findings: recipients.map(findingOf) };
}

/** What the report says about this address. A report that names only others, such as an alias's target, is about the first. */
export function findingFor({ findings }: Report, address: string): Finding | undefined {
  return findings.find(({ addresses }) => addresses.includes(address.toLowerCase())) ?? findings[0];
}

const linesIn = (email: Uint8Array) => Buffer.from(email).toString("latin1").split("\n").length;

function findingOf(recipient: Map<string, string>): Finding {
  const action = recipient.get("action")?.toLowerCase();
  const named = ["original-recipient", "final-recipient"].map((name) => recipient.get(name) ?? "");
  const addresses = named
    .join(";")
    .toLowerCase()
    .split(/[;<>\s]+/);
  if (action === "delivered") return { outcome: "delivered", status: "", addresses };
  // Some systems write 'expired' where RFC 3464 specifies 'failed'.
  if (action !== "failed" && action !== "expired") return { outcome: undefined, status: "", addresses };
  const reason = recipient.get("diagnostic-code") ?? "";
  const [general] = statusIn.exec(recipient.get("status") ?? "") ?? [];
  // x.0.0 carries no detail, so a status in the receiver's reply takes precedence.
  const [status = ""] = general && !general.endsWith(".0.0") ? [general] : (statusIn.exec(reason) ?? [general]);
  return { outcome: isDeadAddress(status, reason) ? "bounced" : "undelivered", status, addresses };
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
