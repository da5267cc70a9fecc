import { command, withDatabase } from "@/lib/cli/shared/command";
import {
  type ErrorsFile,
  plainCell,
  readCsv,
  refuseRows,
  requireNoExtraCell,
  requireUnique,
  type WrongRow,
} from "@/lib/cli/shared/csv-file";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import {
  actorName,
  byOption,
  errorsOption,
  previewOption,
  requireErrorsFile,
  yesOption,
} from "@/lib/cli/shared/options";
import { isConfirmed, onDesk, oneLine, print, slug, table, withNoun } from "@/lib/cli/shared/output";
import { statuses, statusesAfterSubmission } from "@/lib/domain/statuses";
import { exportHeadings } from "@/lib/server/applications/export";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { recordRun } from "@/lib/server/applications/record-run";
import { type Decision, type PlannedChange, planChange, setStatuses } from "@/lib/server/applications/set-status";
import { toTheMinute } from "@/lib/server/brand-time";
import { prisma } from "@/lib/server/db/client";
import { isDatabaseFailure } from "@/lib/server/db/errors";
import { sandboxRefusal } from "@/lib/server/delivery/check-message";
import { currentSettings } from "@/lib/server/settings";

const usage = `Sets the status of a submitted application, or changes it back, and records who did it and why.

  bin/rent status REFERENCE ${statusesAfterSubmission.join(" | ")}
  bin/rent status --csv FILE
      many at once: one row each, with the columns reference, status and reason. Other columns of an export are ignored.
      If a row is wrong, no status is set.

  On a terminal it shows the change and who will get an email, and asks for confirmation. It does not ask in a script. The email
  waits for STATUS_DELAY_MINUTES and is not sent if the status changes meanwhile. To add a forgotten reason, set the current status
  again with --reason.`;

const flags = {
  reason: { type: "string", value: "TEXT", help: "why, for the record" },
  csv: { type: "string", value: "FILE", isPath: true, help: "reads a list of decisions" },
  ...errorsOption,
  ...previewOption,
  ...yesOption,
  "no-message": { type: "boolean", help: "sends no email to the applicant" },
  ...byOption,
} as const satisfies Flags;

const columns = ["reference", "status", "reason"];

/** Accepts a status as people write it: 'In review'. */
function decisionOf(reference: string, text: string, reason = ""): Decision {
  const status = statusesAfterSubmission.find((known) => known === slug(text));
  if (!status) throw new UsageError(`The status cannot be ${text}. Choose ${statusesAfterSubmission.join(", ")}.`);
  if (reason.includes("\0")) throw new UsageError("The reason has a character that cannot be saved.");
  return { reference, status, reason: oneLine(reason.trim()) };
}

/** A row of an export may be a draft, which stays one. */
async function isUnchangedDraft(reference: string, status: string): Promise<boolean> {
  return slug(status) === "draft" && (await findByReference(reference)).status === "draft";
}

async function plannedByList(file: string, isSilent: boolean, errorsFile: ErrorsFile): Promise<PlannedChange[]> {
  const { name, headings, rows } = await readCsv(file);
  const columnOf = (heading: string) => columns.find((column) => column === slug(heading)) ?? "";
  const names = headings.map(columnOf);
  const unknown = headings.filter((heading) => !columnOf(heading) && !exportHeadings.includes(heading));
  if (unknown.length > 0)
    throw new Error(`${name}: unknown column ${unknown.join(", ")}. The columns are ${columns.join(", ")}.`);
  requireUnique(name, names, headings);
  if (!names.includes("reference") || !names.includes("status"))
    throw new Error(`${name} needs the columns reference and status.`);
  const wrong: WrongRow[] = [];
  const found = new Map<string, PlannedChange>();
  for (const { cells, row, ...rest } of rows) {
    const cellOf = (column: string) => plainCell(cells[names.indexOf(column)] ?? "");
    const [reference = "", status = "", reason = ""] = columns.map(cellOf);
    try {
      requireNoExtraCell(rest);
      if (reference === "" || status === "") throw new Error(`the ${reference ? "status" : "reference"} is missing`);
      if (await isUnchangedDraft(reference, status)) continue;
      const change = await planChange(prisma(), decisionOf(reference, status, reason), isSilent);
      if (found.has(change.id)) throw new Error(`${change.reference} is in the file twice`);
      found.set(change.id, change);
    } catch (error) {
      if (isDatabaseFailure(error)) throw error;
      wrong.push({ row, problem: (error as Error).message });
    }
  }
  await refuseRows(name, wrong, "No status was set.", errorsFile);
  if (rows.length === 0) throw new Error(`${name} has no rows.`);
  return [...found.values()];
}

/** The recipient of the email about the change, or the reason why there is no email. */
function recipientOf({ email }: PlannedChange): string {
  const { STATUS_DELAY_MINUTES: minutes } = currentSettings();
  if (email === "") return "no email";
  const refusal = sandboxRefusal(email);
  if (refusal) return `no email: ${refusal}`;
  return `email to ${email}${minutes > 0 ? ` in ${withNoun(minutes, "minute")}` : ""}`;
}

/** The messages that the change causes, with their recipient. Empty if there are none. */
function messagesOf(change: PlannedChange, isSilent: boolean): string {
  if (change.before === change.status) return isSilent ? "any email still waiting is cancelled" : "";
  return currentSettings().sending.webhook ? `${recipientOf(change)}, webhook` : recipientOf(change);
}

function show(changes: PlannedChange[], isSilent: boolean): void {
  const change = ({ before, status, reason }: PlannedChange) =>
    before === status ? `already ${status}${reason ? ", a reason is added" : ""}` : `${before} → ${status}`;
  const cells = (row: PlannedChange) => [row.reference, row.name, change(row), messagesOf(row, isSilent), row.reason];
  print(table(["reference", "name", "change", "message", "reason"], changes.map(cells)));
}

type Done = Awaited<ReturnType<typeof setStatuses>>[number];

function report({ reference, before, status, reason, email, emailedAt, shownUntil, cancelled, isErased }: Done): void {
  if (before === status) {
    const done = [...(reason ? ["the reason was added"] : []), ...(cancelled > 0 ? ["its email was cancelled"] : [])];
    console.log(`${reference} was already ${status}: ${done.join(", and ") || "nothing has changed"}.`);
    return;
  }
  console.log(`${reference} is now ${status}; it was ${before}.`);
  const refusal = sandboxRefusal(email);
  if (!emailedAt) console.log("No email is sent to the applicant.");
  else if (refusal) print(`No email is sent to the applicant: ${refusal}.`);
  else
    print(
      `The applicant will get an email.\nIt goes to ${email} at ${toTheMinute(emailedAt)}, unless the status changes before then.`,
    );
  const heading = `'${statuses[status].heading}'`;
  if (shownUntil) console.log(`From now until ${toTheMinute(shownUntil)} the applicant's link shows ${heading}.`);
  else if (!isErased)
    console.log(
      `The applicant has no working link: 'npm run links -- reissue ${reference}' issues one, which shows ${heading}.`,
    );
}

function reportOne(done: Done): void {
  report(done);
  const line = onDesk(done.reference).trim();
  if (line) console.log(line);
}

function reportLostLinks(done: Done[]): void {
  for (const { reference } of done.filter(({ isNewLinkLost }) => isNewLinkLost))
    console.log(
      `The email with the new link of ${reference} was cancelled: 'npm run links -- reissue ${reference} --send' sends another link.`,
    );
}

function summary(done: Done[]): string {
  const statuses = done.filter(({ before, status }) => before !== status).length;
  const reasons = done.filter(({ before, status, reason }) => before === status && reason !== "").length;
  const emails = done.filter(({ before, status, cancelled }) => before === status && cancelled > 0).length;
  const sentences = [
    ...(statuses > 0 ? [`${withNoun(statuses, "status is", "statuses are")} set.`] : []),
    ...(reasons > 0 ? [`${withNoun(reasons, "reason is", "reasons are")} added.`] : []),
    ...(emails > 0 ? [`${withNoun(emails, "email is", "emails are")} cancelled.`] : []),
  ];
  return sentences.join(" ") || "Nothing has changed.";
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const { csv, preview, "no-message": isSilent = false } = values;
  requireErrorsFile(values);
  const [reference = "", status = "", ...rest] = words;
  if (csv !== undefined && (words.length > 0 || values.reason !== undefined))
    throw new UsageError("With --csv, all values come from the file.");
  if (csv === undefined && (!reference || !status || rest.length > 0))
    throw new UsageError("One reference and one status are needed.");
  const single = csv === undefined && decisionOf(reference, status, values.reason);
  await withDatabase(async () => {
    const changes = single
      ? [await planChange(prisma(), single, isSilent)]
      : await plannedByList(csv ?? "", isSilent, values);
    const needsConfirmation = !values.yes && process.stdin.isTTY;
    const by = actorName(values.by);
    // Recorded for scripts as well, because the output names the recipient of the email.
    await recordRun({ by, command: "status", count: changes.length, reference: single ? changes[0]?.reference : "" });
    if (csv !== undefined || preview || needsConfirmation) show(changes, isSilent);
    if (preview) return console.log("No status was set.");
    if (
      needsConfirmation &&
      !(await isConfirmed(changes.length === 1 ? "Set this status?" : `Set these ${changes.length} statuses?`))
    ) {
      process.exitCode = 1;
      return console.log("No status was set.");
    }
    const done = await setStatuses(changes, { by, isSilent });
    if (csv === undefined) done.forEach(reportOne);
    else console.log(summary(done));
    reportLostLinks(done);
  });
});
