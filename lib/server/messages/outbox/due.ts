import "server-only";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { currentSettings } from "@/lib/server/settings";
import type { MessageKind } from "./kinds";

/** Columns of an application that hold a contact, each as its statement returns it. */
export const contactColumns = ["email", "invitedMobile", "managerEmail"] as const;

/** A message that becomes due with a statement: to an address, or to what the application says. */
export interface Due {
  kind: MessageKind;
  channel: "email" | "sms" | "webhook";
  to?: string;
  column?: (typeof contactColumns)[number];
  detail?: string;
}

/** Of a channel that is not set up nothing becomes due: it would all go out on the day that it is. */
function ofChannels(dues: Due[]): Due[] {
  const { sending } = currentSettings();
  return dues.filter(({ channel }) => sending[channel] !== undefined);
}

export function dueOnSubmission(): Due[] {
  const { staff, agentNotice } = currentSettings().sending;
  return ofChannels([
    { kind: "confirmation", channel: "email", column: "email" },
    { kind: "not-you", channel: "sms", column: "invitedMobile" },
    ...(agentNotice ? [{ kind: "agent-notice", channel: "email", column: "managerEmail" } as const] : []),
    ...staff.map((to) => ({ kind: "staff-notice", channel: "email", to }) as const),
    { kind: "application.submitted", channel: "webhook" },
  ]);
}

export function dueOnStatus(status: SubmittedStatus): Due[] {
  return ofChannels([
    { kind: "status", channel: "email", column: "email", detail: status },
    { kind: "application.status_changed", channel: "webhook", detail: status },
  ]);
}

export function dueOnOpening(): Due[] {
  return ofChannels([{ kind: "link.opened", channel: "webhook" }]);
}

/**
 * Makes rows of what is due, in the statement that makes it due: rolled back, it never was. `from` is a CTE with the
 * application's id and the contact columns; `by` and `dues` are the parameters of who asked and of the JSON of what is due.
 */
export function insertDue(from: string, { by, dues }: { by: string; dues: string }): string {
  const contacts = contactColumns.map((name) => `WHEN '${name}' THEN ${from}."${name}"`).join(" ");
  return `INSERT INTO messages ("applicationId", kind, channel, recipient, detail, by)
    SELECT ${from}.id, due.kind, due.channel, contact, COALESCE(due.detail, ''), ${by}
    FROM ${from}, json_to_recordset(${dues}::json) AS due (kind text, channel "MessageChannel", "to" text,
      "column" text, detail text),
      COALESCE(due.to, CASE due.column ${contacts} END, '') AS contact
    WHERE contact <> '' OR due.channel = 'webhook'`;
}
