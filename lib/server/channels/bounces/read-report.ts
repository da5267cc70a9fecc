import PostalMime, { type Attachment } from "postal-mime";
import { decidingStatus, isDeadAddress } from "./dead-address";

/** `bounced`: no message can ever reach this address. `undelivered`: this message did not arrive. */
export type Ending = "bounced" | "undelivered" | "delivered";

/** Fields of an email by their name in lower case. */
type Fields = Map<string, string>;

export interface Report {
  /** The Message-ID of our message, without angle brackets. */
  messageId: string;
  isComplaint: boolean;
  /** What a delivery report says about each recipient. */
  recipients: Fields[];
}

/** The maximum size of a report in bytes. A report quotes our email, which is far smaller. */
export const maxReportBytes = 1_000_000;
/** The parser takes seconds for very many lines or fields, and nothing else in this process runs meanwhile. */
const maxLines = 10_000;
const maxHeadersSize = 64 * 1024;
/** Diagnostic-Code, and fields such as X-Exim-Diagnostic, X-PowerMTA-BounceCategory and X-Supplementary-Info. */
const reasonField = /diagnostic|reason|bounce|error|info|response|reply/;
const statusIn = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** The feedback types that are complaints: those of RFC 5965 except virus, and opt-outs. Not-spam (RFC 6430) withdraws one. */
const complaints = ["abuse", "fraud", "opt-out", "opt-out-list", "other"];

/** Reads a delivery report (RFC 3464) or a complaint (RFC 5965, or Microsoft's). Returns null for other emails. */
export async function readReport(email: Uint8Array): Promise<Report | null> {
  if (email.length > maxReportBytes || linesIn(email) > maxLines) return null;
  const { attachments } = await PostalMime.parse(email, {
    attachmentEncoding: "utf8",
    forceRfc822Attachments: true,
    maxHeadersSize,
  }).catch(() => ({ attachments: [] as Attachment[] }));
  const text = (type: RegExp) => String(attachments.find(({ mimeType }) => type.test(mimeType))?.content ?? "");
  const [original] = groupsOf(text(/^(message\/(rfc822|global(-headers)?)|text\/rfc822-headers?)$/));
  const messageId = messageIdIn(original?.get("message-id") ?? "");
  if (!messageId) return null;
  const [feedback] = groupsOf(text(/^message\/feedback-report$/));
  if (feedback) {
    const isComplaint = complaints.includes(feedback.get("feedback-type")?.toLowerCase() ?? "");
    return { messageId, isComplaint, recipients: [] };
  }
  const groups = groupsOf(text(/^message\/(global-)?delivery-status$/));
  // Microsoft's complaints have no part of their own, but this field in the email that they return.
  const isComplaint = groups.length === 0 && original?.has("x-hmxmroriginalrecipient") === true;
  return { messageId, isComplaint, recipients: groups.filter((group) => group.has("action")) };
}

/** A Message-ID without its angle brackets. */
export const messageIdIn = (text: string) => /^<?([^<>\s\p{Cc}]+)>?(?=\s|$)/u.exec(text)?.[1];

/**
 * What a delivery report says about this address: the ending, unless it is a delay, and the status, such as '5.1.1' (RFC 3463).
 * A report that names only other addresses, such as an alias's target, is judged by the first of them.
 */
export function endingFor({ recipients }: Report, address: string): { outcome?: Ending; status?: string } {
  const recipient = recipients.find((fields) => isAbout(fields, address)) ?? recipients[0];
  const action = recipient?.get("action")?.toLowerCase();
  if (action === "delivered") return { outcome: "delivered" };
  // Some systems write 'expired' where RFC 3464 specifies 'failed'.
  if (!recipient || (action !== "failed" && action !== "expired")) return {};
  const [reported = ""] = statusIn.exec(recipient.get("status") ?? "") ?? [];
  const reply = replyIn(recipient);
  return {
    outcome: isDeadAddress(reported, reply) ? "bounced" : "undelivered",
    status: decidingStatus(reported, reply),
  };
}

/** The receiver's reply, which some systems give in a field of their own or in brackets behind the status. */
function replyIn(recipient: Fields): string {
  const fields = [...recipient].filter(([name]) => reasonField.test(name));
  const [, comment = ""] = /^[^(]*\((.*)/.exec(recipient.get("status") ?? "") ?? [];
  // The type in front, such as 'X-Outbound-Mail-Relay;', is no part of the reply.
  return [...fields.map(([, value]) => value.replace(/^\s*[\w-]+;/, "")), comment].join(" ");
}

function isAbout(fields: Fields, address: string): boolean {
  const named = `${fields.get("original-recipient") ?? ""};${fields.get("final-recipient") ?? ""}`;
  return named
    .toLowerCase()
    .split(/[;<>\s]+/)
    .includes(address.toLowerCase());
}

const linesIn = (email: Uint8Array) => Buffer.from(email).toString("latin1").split("\n").length;

/** Parses groups of fields that are separated by empty lines. Converts names to lower case and unfolds lines. */
function groupsOf(text: string): Fields[] {
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
