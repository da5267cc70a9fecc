import { chunks, formatCount, printBeforeCommit, withNoun } from "@/lib/cli/shared/output";
import { reportSending } from "@/lib/cli/shared/sending";
import { printable } from "@/lib/domain/printable-text";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { withListLock } from "@/lib/server/invitations/list-lock";
import { type InvitationList, type ListOptions, type NewRow, newRows, readList } from "./invitation-list";
import { linksPerTransaction, openLinksFile } from "./links-file";

export interface Issue extends ListOptions {
  csv: string;
  by: string;
  carried: string[];
  /** Only checks the rows, and reports how many links would be issued or what would be sent. */
  preview: boolean;
}

/**
 * Issues a link for each row and writes it to a file, in one transaction per chunk of rows. A row that already has an
 * application gets no link, so a second run continues where the first one stopped.
 */
export async function issueIntoFile(issue: Issue, out: string): Promise<string> {
  const list = await readList(issue.csv, issue.carried);
  return withListLock(issue.by, async (requireLock) => {
    const file = await openLinksFile(out, list.headings, list.delimiter);
    const rows = await plan(issue, list, file.references);
    if (issue.preview) return "Nothing was created.";
    file.removeUncommitted();
    const before = file.references.size;
    const done = await issueInChunks(rows, linksPerTransaction, before, async (chunk) => {
      const issued = await create(issue, chunk, async (links, issuedRows) => {
        await requireLock();
        file.append(issuedRows, links);
      });
      return issued.length;
    });
    if (before + done === 0) return `0 links issued; ${out} was not written.`;
    return `${withNoun(done, "link")} issued; ${withNoun(before + done, "is", "are")} in ${out}.`;
  });
}

/** `rows` are the rows of the list, as a spreadsheet counts them. */
type Print = (issued: IssuedLink[], rows?: number[]) => Promise<void>;

/** Issues the links of all rows in one transaction. `print` must succeed before the transaction commits. */
export async function issueInOneTransaction(issue: Issue, print: Print): Promise<void> {
  const list = await readList(issue.csv, issue.carried);
  await withListLock(issue.by, async () => {
    const rows = await plan(issue, list);
    if (issue.preview) return;
    await printBeforeCommit(print, (printAll) =>
      create(issue, rows, (issued, issuedRows) => {
        const rowNumbers = issuedRows.map(({ row }) => row);
        return printAll(issued, rowNumbers);
      }),
    );
  });
}

async function plan(issue: Issue, list: InvitationList, inFile?: Set<string>): Promise<NewRow[]> {
  const rows = await newRows(list, issue, inFile);
  if (issue.preview && rows[0]) console.error(printable(`First row: ${rows[0].cells.filter(Boolean).join(", ")}.`));
  if (issue.send) await reportSending(rows.map(({ invitation }) => invitation));
  else if (issue.preview) console.error(`Links to issue: ${formatCount(rows.length)}.`);
  return rows;
}

/** `write` gets the new links and their rows before the commit. If it fails, no link is issued. */
function create(issue: Issue, rows: NewRow[], write: (issued: IssuedLink[], issuedRows: NewRow[]) => Promise<void>) {
  const invitations = rows.map(({ invitation }) => invitation);
  const rowHashes = rows.map(({ hash }) => hash);
  const beforeCommit = (issued: IssuedLink[], positions: number[]) => {
    const issuedRows = positions.flatMap((position) => rows[position] ?? []);
    return write(issued, issuedRows);
  };
  return createInvitations(invitations, { ...issue, rowHashes, beforeCommit });
}

/** Issues links in one transaction per chunk. `before` is the number that earlier runs have issued. */
export async function issueInChunks<Row>(
  rows: Row[],
  size: number,
  before: number,
  issue: (chunk: Row[]) => Promise<number>,
): Promise<number> {
  let done = 0;
  try {
    for (const chunk of chunks(rows, size)) {
      done += await issue(chunk);
      if (process.stderr.isTTY) console.error(`${formatCount(done)} of ${formatCount(rows.length)}`);
    }
  } catch (error) {
    const [issued, all] = [before + done, before + rows.length].map(formatCount);
    console.error(
      `${issued} of ${all} links are issued. To continue, resolve the error below and run the same command again.`,
    );
    throw error;
  }
  return done;
}
