import { kindOf, savedAnswers } from "@/lib/domain/application";
import { calendarDay } from "@/lib/server/db/application-row";
import { type Db, readSnapshot } from "@/lib/server/db/client";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { findSuppressions, invitedContacts } from "@/lib/server/outbox/reachability";
import { type Application, Prisma } from "@/prisma/generated/client";
import { findApplications } from "./find";
import { findByReference } from "./find-by-reference";
import { listedAs } from "./search";

type Row = Record<string, unknown>;

/**
 * Everything stored about the people of an application: its own row and, by table, the rows that reference it. Suppressions
 * reference no application, so those of its contacts are included.
 */
export type PersonalData = Awaited<ReturnType<typeof personalDataIn>>;

/** The compiler refuses a missing relation. Rows are in order of creation; the ids of links and messages are random. */
const related = {
  consentRecord: true,
  events: { orderBy: { id: "asc" } },
  links: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
  messages: { orderBy: { number: "asc" } },
} as const satisfies Required<Omit<Prisma.ApplicationInclude, "_count">>;

/** Within a snapshot. */
async function personalDataIn(tx: Db, typedReference: string) {
  const { id, reference } = await findByReference(typedReference, tx);
  const found = await tx.application.findUniqueOrThrow({ where: { id }, include: related });
  const attempts = await tx.messageAttempt.findMany({ where: { applicationId: id }, orderBy: { id: "asc" } });
  const { consentRecord, events, links, messages, ...application } = found;
  const suppressions = await findSuppressions(tx, contactsOf(application));
  return {
    reference,
    exportedAt: new Date().toISOString(),
    application: asJson(application),
    consent_records: (consentRecord ? [consentRecord] : []).map(asJson),
    events: events.map(asJson),
    links: links.map(asJson),
    message_attempts: attempts.map(asJson),
    messages: messages.map(asJson),
    suppressions: suppressions.sort((a, b) => Number(a.createdAt) - Number(b.createdAt)).map(asJson),
  };
}

/** The invited contacts and those in the answers. */
const contactsOf = (application: Application): Contact[] => [
  ...invitedContacts(application),
  { channel: "email", recipient: application.email },
  { channel: "sms", recipient: application.mobile },
];

/** The same, with the application's row of the list. */
export const readListed = (typedReference: string) =>
  readSnapshot(async (tx) => {
    const data = await personalDataIn(tx, typedReference);
    const [listed] = await listedAs(tx, data.reference);
    return { data, listed };
  });

export const personalDataOf = (typedReference: string) => readSnapshot((tx) => personalDataIn(tx, typedReference));

/** The other applications with the same mobile or email, which may concern the same person. */
export async function otherApplicationsOf(typedReference: string): Promise<string[]> {
  const application = await findByReference(typedReference);
  const recipients = new Set(contactsOf(application).flatMap(({ recipient }) => recipient || []));
  const found = await Promise.all([...recipients].map((recipient) => findApplications(recipient)));
  return [...new Set(found.flat().map((other) => other.reference))].filter((other) => other !== application.reference);
}

/** Converts bigints and decimals to numbers, times to ISO instants, and calendar dates to YYYY-MM-DD. */
function asJson(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, jsonOf(column, value)]));
}

const isDay = (column: string) => savedAnswers.some((name) => name === column && kindOf(name) === "date");

function jsonOf(column: string, value: unknown): unknown {
  if (typeof value === "bigint" || Prisma.Decimal.isDecimal(value)) return Number(value);
  if (Array.isArray(value)) return value.map((item) => jsonOf(column, item));
  if (value instanceof Date) return isDay(column) ? calendarDay(value) : value.toISOString();
  return value;
}
