import "server-only";
import { prisma } from "@/lib/server/db/client";
import { Prisma } from "@/prisma/generated/client";
import { findByReference } from "./find-by-reference";

type Row = Record<string, unknown>;

/** Everything that is stored about the people of an application: its own row, and by table those that point to it. */
export interface PersonalData {
  reference: string;
  exportedAt: string;
  application: Row;
  [table: string]: unknown;
}

/** A relation that is not here does not compile. As they came: ids of links and messages are random. */
const related = {
  consentRecord: true,
  events: { orderBy: { id: "asc" } },
  links: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
  messages: { orderBy: { number: "asc" } },
} as const satisfies Required<Omit<Prisma.ApplicationInclude, "_count">>;

export async function personalDataOf(given: string): Promise<PersonalData> {
  const { id, reference } = await findByReference(given);
  const found = await prisma().application.findUniqueOrThrow({ where: { id }, include: related });
  const { consentRecord, events, links, messages, ...application } = found;
  const attempts = await prisma().messageAttempt.findMany({ where: { applicationId: id }, orderBy: { id: "asc" } });
  return {
    reference,
    exportedAt: new Date().toISOString(),
    application: asJson(application),
    consent_records: (consentRecord ? [consentRecord] : []).map(asJson),
    events: events.map(asJson),
    links: links.map(asJson),
    message_attempts: attempts.map(asJson),
    messages: messages.map(asJson),
  };
}

/** Numbers as numbers, times as ISO instants, and calendar dates without a time. */
function asJson(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, jsonOf(column, value)]));
}

function jsonOf(column: string, value: unknown): unknown {
  if (typeof value === "bigint" || Prisma.Decimal.isDecimal(value)) return Number(value);
  if (Array.isArray(value)) return value.map((one) => jsonOf(column, one));
  if (value instanceof Date) return column.endsWith("Date") ? value.toISOString().slice(0, 10) : value.toISOString();
  return value;
}

/** Who reads personal data, before it is shown. Never the words that were looked for: they name people. */
export async function recordRead(read: Pick<Prisma.DataReadCreateManyInput, "by" | "command" | "count" | "reference">) {
  await prisma().dataRead.createMany({ data: [read] });
}
