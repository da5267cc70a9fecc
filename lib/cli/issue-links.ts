import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import type { Invitation } from "@/lib/server/invitations/invitation";
import type { Listed } from "@/lib/server/invitations/issued-already";
import { type RequireLock, withListLock } from "@/lib/server/invitations/list-lock";
import { checkInvitations } from "./check-invitations";
import { csvSource, formOf } from "./csv-source";
import { inChunks } from "./in-chunks";
import { type InvitationRow, type InvitationTable, invitationTable } from "./invitation-rows";
import { type LinksFile, linksAtOnce, linksFile } from "./links-file";
import { newRows, reportListed } from "./listed-before";
import { progress } from "./progress";
import { tellWhatIsSent } from "./sending-preview";

export interface Issue {
  csv: string;
  batch: string;
  by: string;
  carried: string[];
  allowDuplicates: boolean;
  send: boolean;
  /** Only tells what would be sent. */
  preview: boolean;
}

async function tableOf({ csv, carried }: Issue) {
  const source = await csvSource(csv);
  const form = await formOf(source);
  return { source, form, table: await invitationTable(source, form, carried) };
}

/**
 * Issues a link for each row into a file, in transactions of some rows each. A row that is an application already gets
 * none, so run again, it goes on where it stopped.
 */
export async function issueIntoFile(issue: Issue, out: string): Promise<string> {
  const { source, form, table } = await tableOf(issue);
  return withListLock(issue.by, async (requireLock) => {
    const file = await linksFile(out, table.headings, form.delimiter);
    const total = await checkRows(issue, source.name, table, file.references);
    if (issue.send) await tellWhatIsSent(invitationsIn(newRows(table.rows(), issue.batch)));
    if (issue.preview) return "Nothing was created.";
    const before = file.references.size;
    const done = await issueEach({ issue, table, file, total, requireLock });
    return `${done.toLocaleString("en")} links issued; ${(before + done).toLocaleString("en")} are in ${out}.`;
  });
}

/** Returns how many rows are new. Reports those that are applications already, but for those whose link the file has. */
async function checkRows(issue: Issue, name: string, table: InvitationTable, inFile = new Set<string>()) {
  let listed = 0;
  const elsewhere: Listed[] = [];
  const rows = newRows(table.rows(), issue.batch, (application) => {
    listed += 1;
    if (!inFile.has(application.reference)) elsewhere.push(application);
  });
  const total = await checkInvitations(rows, { name, ...issue });
  if (total + listed === 0) throw new Error(`${name} has no rows.`);
  reportListed(elsewhere);
  return total;
}

interface Run {
  issue: Issue;
  table: InvitationTable;
  file: LinksFile;
  total: number;
  requireLock: RequireLock;
}

async function issueEach({ issue, table, file, total, requireLock }: Run): Promise<number> {
  const before = file.references.size;
  const draw = progress(total);
  let done = 0;
  try {
    for await (const rows of inChunks(newRows(table.rows(), issue.batch), linksAtOnce)) {
      const issued = await createInvitations(
        rows.map((row) => row.invitation()),
        {
          ...issue,
          rowHashes: rows.map((row) => row.hash),
          async beforeCommit(links, positions) {
            await requireLock();
            const own = positions.flatMap((position) => rows[position] ?? []);
            if (own.length > 0) file.append(own, links);
          },
        },
      );
      done += issued.length;
      draw(done);
    }
  } catch (error) {
    const sure = (before + done).toLocaleString("en");
    console.error(
      `${sure} of ${(before + total).toLocaleString("en")} links are issued. The same command goes on from there.`,
    );
    throw error;
  }
  return done;
}

/** Issues a link for each row in one transaction: `print` has to succeed before it is committed. */
export async function issueAtOnce(issue: Issue, print: (issued: IssuedLink[]) => Promise<void>): Promise<void> {
  const { source, table } = await tableOf(issue);
  await withListLock(issue.by, async () => {
    await checkRows(issue, source.name, table);
    if (issue.send) await tellWhatIsSent(invitationsIn(newRows(table.rows(), issue.batch)));
    if (issue.preview) return;
    const rows: InvitationRow[] = [];
    for await (const row of newRows(table.rows(), issue.batch)) rows.push(row);
    const invitations = rows.map((row) => row.invitation());
    const rowHashes = rows.map((row) => row.hash);
    await createInvitations(invitations, { ...issue, rowHashes, beforeCommit: print });
  });
}

async function* invitationsIn(rows: AsyncIterable<InvitationRow>): AsyncGenerator<Invitation> {
  for await (const row of rows) yield row.invitation();
}
