import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { withNoun } from "@/lib/cli/shared/output";
import { recordRun } from "@/lib/server/applications/record-run";
import { applyReport, type ReportOutcome } from "@/lib/server/channels/bounces/apply-report";
import { codeOf, isDatabaseUnavailable } from "@/lib/server/db/errors";

/** Applies the delivery reports of a file, a folder, or standard input, and prints the outcomes. */
export async function applyBounces(path: string | undefined, by: string): Promise<void> {
  const emails = path === undefined ? emailsOf(await buffer(process.stdin)) : emailsIn(path);
  await recordRun({ by, command: "messages bounces", count: emails.length });
  const counts: Record<ReportOutcome, number> = { bounced: 0, undelivered: 0, delivered: 0, complaint: 0, nothing: 0 };
  const failures: unknown[] = [];
  for (const email of emails)
    try {
      counts[await applyReport(email)] += 1;
    } catch (error) {
      // SQLSTATE insufficient_privilege: a report on a message that no worker has recorded as sent yet.
      if (isDatabaseUnavailable(error) && codeOf(error as Error) !== "42501") throw error;
      // The remaining reports are still applied.
      failures.push(error);
    }
  const { bounced, undelivered, delivered, complaint, nothing } = counts;
  const all = `${bounced} bounced, ${undelivered} undelivered, ${delivered} delivered, ${withNoun(complaint, "complaint")}`;
  console.log(`${withNoun(emails.length, "email")} read: ${all}; ${nothing} changed nothing.`);
  if (failures.length === 0) return;
  console.error(`${failures.length} could not be applied. The first error:`);
  throw failures[0];
}

/** Reads a Maildir, any other folder of emails, an mbox, or one email. */
function emailsIn(path: string): Buffer[] {
  if (!existsSync(path)) throw new Error(`There is no file or folder ${path}.`);
  if (!statSync(path).isDirectory()) return emailsOf(readFileSync(path));
  const folders = ["new", "cur"].map((name) => join(path, name)).filter((folder) => existsSync(folder));
  return (folders.length > 0 ? folders : [path]).flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(folder, name))),
  );
}

/** In an mbox, an email begins with a line 'From … 2026' after an empty line (RFC 4155). An email's own '>From …' changes no report. */
const separator = /^From .*\r?\n|(?<=\n\r?\n)From .*\b(?:19|20)\d\d[ \t]*\r?\n/;

function emailsOf(content: Buffer): Buffer[] {
  const text = content.toString("latin1");
  if (!text.startsWith("From ")) return text.trim() === "" ? [] : [content];
  return text
    .split(separator)
    .filter((email) => email.trim() !== "")
    .map((email) => Buffer.from(email, "latin1"));
}
