import {
  type ConsentAnswers,
  invitableAnswers,
  labelOf,
  namesOf,
  optionWords,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { resumeStep, reviewStep } from "@/lib/domain/journey";
import { decidedStatuses, keepingStatuses } from "@/lib/domain/statuses";
import { formatToSecond } from "@/lib/domain/zone-time";
import { calendarDay, type InvitedColumns, invitedColumn, statusOf } from "@/lib/server/db/application-row";
import { type Db, readSnapshot } from "@/lib/server/db/client";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";
import { type Filter, findReferences } from "./search";
import { savedStepsOf } from "./to-view";

/** The consent boxes in operations' words. */
export const consentBoxes: Record<keyof ConsentAnswers, string> = {
  authoriseAgent: "Agent authorised",
  provideSelf: "Sends documents themselves",
  confirmLoan: "Loan confirmed",
};
const pageSize = 1_000;

async function page(tx: Db, filter: Filter, after: string) {
  return tx.application.findMany({
    where: { reference: { in: await findReferences(tx, filter, after, pageSize) } },
    include: {
      consentRecord: true,
      links: { where: { openedAt: { not: null } }, orderBy: { openedAt: "asc" }, take: 1 },
      events: { where: { kind: { in: ["status_changed", "reason_added"] } }, orderBy: { id: "desc" } },
    },
    orderBy: { reference: "asc" },
  });
}

type Row = Awaited<ReturnType<typeof page>>[number];

interface Column {
  /** The heading for people. The column's name is for programs. */
  label: string;
  read: (row: Row) => unknown;
  answer?: SavedAnswer;
}

const answerColumn = (
  answer: SavedAnswer,
  label: string,
  name: SavedAnswer | keyof InvitedColumns = answer,
): [string, Column] => [name, { label, read: (row) => cell(row[name]), answer }];
const label = (name: SavedAnswer) => labelOf(name) || "Source";

const stepOf = (row: Row) => (row.status === "draft" ? resumeStep({ savedSteps: savedStepsOf(row) }) : null);

const isAbout = ({ detail }: { detail: string }, statuses: string[]) => statuses.includes(detail.split(" ")[0] ?? "");

/** The reasons that were added to the last decision, newest first, and the decision itself. Empty without a decision. */
function decisionEvents({ events }: Row) {
  const earlier = events.filter((event) => !isAbout(event, keepingStatuses));
  const last = earlier.findIndex(({ kind }) => kind === "status_changed");
  const decision = earlier[last];
  return decision && isAbout(decision, decidedStatuses) ? earlier.slice(0, last + 1) : [];
}
const decisionOf = (row: Row) => decisionEvents(row).at(-1);
const reasonOf = (row: Row) => decisionEvents(row).find(({ reason }) => reason !== "")?.reason;

const columns: Record<string, Column> = {
  reference: { label: "Reference", read: ({ reference }) => reference },
  status: { label: "Status", read: ({ status }) => statusOf(status) },
  batch: { label: "Batch", read: ({ batch }) => batch },
  invitedAt: { label: "Invited", read: ({ createdAt }) => time(createdAt) },
  openedAt: { label: "First opened", read: ({ links }) => time(links[0]?.openedAt) },
  step: { label: "Step", read: stepOf },
  submittedAt: { label: "Submitted", read: ({ submittedAt }) => time(submittedAt) },
  decidedAt: { label: "Decided", read: (row) => time(decisionOf(row)?.at) },
  decidedBy: { label: "Decided by", read: (row) => decisionOf(row)?.by },
  decisionReason: { label: "Reason for the decision", read: reasonOf },
  takenBy: { label: "Taken by", read: ({ takenBy }) => takenBy },
  erasedAt: { label: "Personal data erased", read: ({ erasedAt }) => time(erasedAt) },
  ...Object.fromEntries(savedAnswers.map((name) => answerColumn(name, label(name)))),
  ...Object.fromEntries(
    invitableAnswers.map((name) => answerColumn(name, `${label(name)} (invitation)`, invitedColumn(name))),
  ),
  ...Object.fromEntries(
    namesOf(reviewStep).map((box) => [
      box,
      { label: consentBoxes[box], read: ({ consentRecord }: Row) => consentRecord?.[box] },
    ]),
  ),
  consentVersion: { label: "Version of the consent", read: ({ consentRecord }) => consentRecord?.version },
  consentedAt: { label: "Consented", read: ({ consentRecord }) => time(consentRecord?.consentedAt) },
};

/** The headings of an export, for people and for programs. */
export const exportHeadings = Object.entries(columns).flatMap(([name, { label }]) => [name, label]);

const time = (at: Date | null | undefined) => at && formatToSecond(at, currentSettings().brand);

function cell(value: Row[SavedAnswer]): string | null {
  if (value instanceof Date) return calendarDay(value);
  return Prisma.Decimal.isDecimal(value) ? value.toFixed(2) : value;
}

/**
 * Yields the headings, then a row of cells for each application. With labels, a choice is in words. Reads in pages, so that
 * memory use stays constant.
 */
export async function* exportedRows(filter: Filter, headings: "labels" | "names" = "names"): AsyncGenerator<string[]> {
  const write = ({ read, answer }: Column, row: Row) => {
    const text = String(read(row) ?? "");
    return answer && headings === "labels" ? optionWords(answer, text) : text;
  };
  yield headings === "names" ? Object.keys(columns) : Object.values(columns).map((column) => column.label);
  for (let after = ""; ; ) {
    const rows = await readSnapshot((tx) => page(tx, filter, after));
    for (const row of rows) yield Object.values(columns).map((column) => write(column, row));
    after = rows.at(-1)?.reference ?? "";
    if (rows.length < pageSize) return;
  }
}
