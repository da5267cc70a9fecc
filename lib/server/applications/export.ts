import "server-only";
import {
  type ConsentAnswers,
  invitableAnswers,
  namesOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { reviewStep } from "@/lib/domain/journey";
import { secondIn } from "@/lib/domain/zone-time";
import { invitedColumn, statusOf } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";
import { type Filter, whereOf } from "./search";

const boxes: (keyof ConsentAnswers)[] = namesOf(reviewStep);
const pageSize = 1_000;

function page(filter: Filter, after: string) {
  return prisma().application.findMany({
    where: { ...whereOf(filter), reference: { gt: after } },
    include: { consentRecord: true },
    orderBy: { reference: "asc" },
    take: pageSize,
  });
}

type Row = Awaited<ReturnType<typeof page>>[number];

const answerColumns = [...savedAnswers, ...invitableAnswers.map(invitedColumn)] as const;

/** Every column by its heading. */
const columns: Record<string, (row: Row) => unknown> = {
  reference: ({ reference }) => reference,
  status: ({ status }) => statusOf(status),
  invitedAt: ({ createdAt }) => time(createdAt),
  submittedAt: ({ submittedAt }) => time(submittedAt),
  erasedAt: ({ erasedAt }) => time(erasedAt),
  ...Object.fromEntries(answerColumns.map((name) => [name, (row: Row) => cell(row[name])])),
  ...Object.fromEntries(boxes.map((box) => [box, ({ consentRecord }: Row) => consentRecord?.[box]])),
  consentVersion: ({ consentRecord }) => consentRecord?.version,
  consentedAt: ({ consentRecord }) => time(consentRecord?.consentedAt ?? null),
};

const time = (at: Date | null) => at && secondIn(at, currentSettings().brand);

function cell(value: Row[SavedAnswer]): string | null {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return Prisma.Decimal.isDecimal(value) ? value.toFixed(2) : value;
}

/** The columns of an export, then a row of cells for each application, read in pages: memory does not grow with them. */
export async function* exportedRows(filter: Filter): AsyncGenerator<string[]> {
  yield Object.keys(columns);
  for (let after = ""; ; ) {
    const rows = await page(filter, after);
    for (const row of rows) yield Object.values(columns).map((read) => String(read(row) ?? ""));
    after = rows.at(-1)?.reference ?? "";
    if (rows.length < pageSize) return;
  }
}
