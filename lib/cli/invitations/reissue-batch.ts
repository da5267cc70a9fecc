import { formatCount, spreadsheetCell, withNoun } from "@/lib/cli/shared/output";
import { answers, invitableAnswers } from "@/lib/domain/application";
import { recordRun } from "@/lib/server/applications/record-run";
import type { ReissueOptions } from "@/lib/server/invitations/links";
import { withListLock } from "@/lib/server/invitations/list-lock";
import {
  findUnopened,
  mayBeReissued,
  reissueAll,
  requireBatch,
  type Unopened,
} from "@/lib/server/invitations/unopened";
import { issueInChunks } from "./issue-links";
import { openLinksFile } from "./links-file";

const headings = invitableAnswers.map((name) => answers[name].flag ?? name);
const cellsOf = (application: Unopened) =>
  invitableAnswers.map((name) => spreadsheetCell(String(application[name] ?? "")));
/** This is small, because the applications stay locked until all their links are on the disk. */
const reissuesPerTransaction = 100;

interface BatchOptions extends ReissueOptions {
  batch: string;
  /** Optional only for a preview. */
  out?: string;
  preview?: boolean;
}

/** Issues new links into a file for the people of a batch who have opened none. A second run continues a stopped one. */
export async function reissueBatch({ batch, out, preview, ...options }: BatchOptions): Promise<string> {
  await requireBatch(batch);
  return withListLock(options.by, async (requireLock) => {
    const file = out === undefined ? undefined : await openLinksFile(out, headings, ",");
    const before = file?.references ?? new Set<string>();
    const unopened: Unopened[] = [];
    for await (const application of findUnopened(batch)) unopened.push(application);
    const candidates = unopened.filter(({ reference }) => !before.has(reference));
    const eligible = candidates.filter((application) => mayBeReissued(application, options));
    reportPlan(batch, unopened, candidates, eligible, options.send);
    if (preview || !file) return "Nothing was changed.";
    file.removeUncommitted();
    await recordRun({ by: options.by, command: "links reissue", count: eligible.length });
    const done = await issueInChunks(eligible, reissuesPerTransaction, 0, (chunk) =>
      reissueAll(chunk, options, async (issued, applications) => {
        await requireLock();
        const rows = applications.map((application) => ({ cells: cellsOf(application) }));
        file.append(rows, issued);
      }),
    );
    const changed = eligible.length - done;
    const left = changed > 0 ? ` ${withNoun(changed, "link")} skipped, because of changes in the meantime.` : "";
    return `${withNoun(done, "link")} reissued; ${withNoun(before.size + done, "is", "are")} in ${out}.${left}`;
  });
}

/** Reports on stderr who gets a link, before anything changes, because a program may read stdout. */
function reportPlan(batch: string, all: Unopened[], candidates: Unopened[], eligible: Unopened[], send = false): void {
  const revoked = candidates.filter(({ isRevoked }) => isRevoked).length;
  const optedOut = candidates.filter(({ isRevoked, isOptedOut }) => isOptedOut && !isRevoked).length;
  const skipped = {
    "already in the file": all.length - candidates.length,
    "links were revoked": revoked,
    "opted out": optedOut,
    unreachable: candidates.length - eligible.length - revoked - optedOut,
  };
  const replaced = eligible.reduce((sum, { liveLinks }) => sum + liveLinks, 0);
  const lines = [
    `Unopened in the batch '${batch}': ${formatCount(all.length)}.`,
    ...Object.entries(skipped).flatMap(([why, count]) =>
      count > 0 ? [`Skipped (${why}): ${formatCount(count)}.`] : [],
    ),
    `New links: ${formatCount(eligible.length)}${send ? ", each sent as an invitation" : ""}. Working links that they replace: ${formatCount(replaced)}.`,
  ];
  console.error(lines.join("\n"));
}
