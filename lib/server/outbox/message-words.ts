import { formatPhone } from "@/lib/domain/phone";
import { type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";
import type { MessageKind } from "./message-kinds";

/** What each message is to a clerk. */
const names: Record<MessageKind, string> = {
  invitation: "Invitation",
  reminder: "Reminder",
  "fresh-link": "New link",
  confirmation: "Confirmation of the submission",
  status: "Status update",
  "not-you": "'Was this you?' question",
  "staff-notice": "Notice to staff",
  "agent-notice": "Notice to the agent",
  "evidence-head": "Head of the evidence log",
  "weekly-figures": "Weekly figures",
  test: "Test message",
  "application.submitted": "Notice to your system of the submission",
  "application.status_changed": "Notice to your system of the status",
  "link.opened": "Notice to your system of an opened link",
};
const ways: Record<string, string> = { email: " by email", sms: " by SMS", webhook: "" };

interface Shown {
  kind?: unknown;
  channel?: unknown;
  recipient?: unknown;
  detail?: unknown;
}

/** Such as 'Reminder (day 3) by email to mei@mail.example', and 'Invitation by SMS to +61412345678'. */
export function messageInWords({ kind, channel, recipient, detail }: Shown): string {
  // A newer version may have stored a kind that this one does not know.
  const name = Object.hasOwn(names, String(kind)) ? names[kind as MessageKind] : String(kind);
  const to = channel === "sms" ? formatPhone(String(recipient ?? "")) : recipient;
  const isStatus = Object.hasOwn(statuses, String(detail));
  const about = isStatus ? statuses[detail as StatusAfterSubmission].name : detail;
  return `${name}${about ? ` (${about})` : ""}${ways[String(channel)] ?? ""}${to ? ` to ${to}` : ""}`;
}
