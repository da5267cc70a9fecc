import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import type { Invitation } from "@/lib/server/invitations/invitation";
import { checkInvitations } from "./check-invitations";
import { csvSource, formOf } from "./csv-source";
import { inChunks } from "./in-chunks";
import { type InvitationRow, invitationTable } from "./invitation-rows";
import { linksAtOnce, linksFile } from "./links-file";
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

/** Issues a link for each row into a file, in transactions of some rows each. Run again, it goes on where it stopped. */
export async function issueIntoFile(issue: Issue, out: string): Promise<string> {
  const { source, form, table } = await tableOf(issue);
  const file = await linksFile(out, table.headings, form.delimiter);
  const total = await checkInvitations(file.unissued(table.rows()), { name: source.name, ...issue });
  if (total + file.before === 0) throw new Error(`${source.name} has no rows.`);
  if (issue.send) await tellWhatIsSent(invitationsIn(file.unissued(table.rows())));
  if (issue.preview) return "Nothing was created.";
  const draw = progress(total);
  let done = 0;
  try {
    for await (const rows of inChunks(file.unissued(table.rows()), linksAtOnce)) {
      const invitations = rows.map((row) => row.invitation());
      await createInvitations(invitations, {
        ...issue,
        beforeCommit: (issued) => file.append(rows, issued),
      });
      done += rows.length;
      draw(done);
    }
  } catch (error) {
    const sure = (file.before + done).toLocaleString("en");
    console.error(
      `${sure} of ${(file.before + total).toLocaleString("en")} links are issued. The same command goes on from there.`,
    );
    throw error;
  }
  return `${total.toLocaleString("en")} links issued; ${(file.before + total).toLocaleString("en")} are in ${out}.`;
}

/** Issues a link for each row in one transaction: `print` has to succeed before it is committed. */
export async function issueAtOnce(issue: Issue, print: (issued: IssuedLink[]) => Promise<void>): Promise<void> {
  const { source, table } = await tableOf(issue);
  if ((await checkInvitations(table.rows(), { name: source.name, ...issue })) === 0)
    throw new Error(`${source.name} has no rows.`);
  if (issue.send) await tellWhatIsSent(invitationsIn(table.rows()));
  if (issue.preview) return;
  const rows = [];
  for await (const row of invitationsIn(table.rows())) rows.push(row);
  await createInvitations(rows, { ...issue, beforeCommit: print });
}

async function* invitationsIn(rows: AsyncIterable<InvitationRow>): AsyncGenerator<Invitation> {
  for await (const row of rows) yield row.invitation();
}
