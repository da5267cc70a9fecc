import { type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";
import { toTheSecond } from "@/lib/server/brand-time";
import { consentBoxes } from "./export";

/** The rows of an application in operations' words. Commands join the parts, and the desk shows them in columns. */
type Row = Record<string, unknown>;

export function consentParts({ version, consentedAt, address, ...ticks }: Row): string[] {
  const boxes = Object.entries(consentBoxes).flatMap(([name, words]) => (ticks[name] ? words : []));
  return [toTheSecond(consentedAt), `version ${version}`, boxes.join(", "), ...(address ? [`from ${address}`] : [])];
}

export function linkParts({ createdAt, expiresAt, openedAt, revokedAt }: Row): [string, string, string] {
  const end = new Date(String(expiresAt)) > new Date() ? "until" : "expired";
  const validity = revokedAt ? `revoked ${toTheSecond(revokedAt)}` : `${end} ${toTheSecond(expiresAt)}`;
  const opened = openedAt ? `first opened ${toTheSecond(openedAt)}` : "never opened";
  return [`issued ${toTheSecond(createdAt)}`, validity, opened];
}

export function messageParts(row: Row): [string, string, string] {
  const { kind, channel, recipient, detail, state, dueAt, sentAt, error } = row;
  const what = `${kind}${detail ? ` (${detail})` : ""} by ${channel}${recipient ? ` to ${recipient}` : ""}`;
  const when = sentAt ? toTheSecond(sentAt) : `due ${toTheSecond(dueAt)}`;
  return [what, error ? `${state}: ${error}` : String(state), when];
}

/** Without what everybody at the desk shares, their login, and what only a program compares, the hash of an erased record. */
export const deskEventParts = (event: Row) => eventParts({ ...event, databaseUser: "", detail: deskDetail(event) });

function deskDetail({ kind, detail }: Row): string {
  if (kind === "erased") return "";
  if (kind !== "status_changed") return String(detail ?? "");
  return String(detail).replace(/[a-z-]+/g, (word) => (isStatus(word) ? statuses[word].name : word));
}

const isStatus = (word: string): word is StatusAfterSubmission => Object.hasOwn(statuses, word);

/** Who did what. */
export function eventParts({ kind, detail, by, databaseUser, reason, address }: Row): string[] {
  const what = String(kind).replaceAll("_", " ");
  const parts = [
    what + (detail ? `: ${detail}` : ""),
    by && `by ${by}`,
    databaseUser && `login ${databaseUser}`,
    reason && `“${reason}”`,
    address && `from ${address}`,
  ];
  return parts.filter(Boolean).map(String);
}
