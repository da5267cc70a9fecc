import { answers, invitableAnswers } from "@/lib/domain/application";
import { withListLock } from "@/lib/server/invitations/list-lock";
import { mayBeReissued, reissueAll, requireBatch, type Unopened, unopenedOf } from "@/lib/server/invitations/unopened";
import { chunks } from "./csv-file";
import { openLinksFile } from "./links-file";

const headings = invitableAnswers.map((name) => answers[name].flag ?? name);
const cellsOf = (one: Unopened) => invitableAnswers.map((name) => String(one[name] ?? ""));
/** Few: the rows of applications stay locked until all their links are on the disk. */
const linksAtOnce = 100;

interface Terms {
  batch: string;
  /** Only a preview may go without. */
  out?: string;
  expiresDays: number;
  by: string;
  send?: boolean;
  preview?: boolean;
}

/** Issues new links, into a file, for those of a batch who have opened none. A second run continues where it stopped. */
export async function reissueBatch({ batch, out, preview, ...terms }: Terms): Promise<string> {
  await requireBatch(batch);
  return withListLock(terms.by, async (requireLock) => {
    const file = out === undefined ? undefined : await openLinksFile(out, headings, ",");
    const before = file?.references ?? new Set<string>();
    const candidates: Unopened[] = [];
    for await (const one of unopenedOf(batch)) if (!before.has(one.reference)) candidates.push(one);
    const planned = reportPlan(batch, candidates, terms);
    if (preview || !file) return "Nothing was changed.";
    const eligible = candidates.filter((one) => mayBeReissued(one, terms));
    let done = 0;
    for (const some of chunks(eligible, linksAtOnce)) {
      done += await reissueAll(some, terms, async (issued, of) => {
        await requireLock();
        const rows = of.map((one) => ({ cells: cellsOf(one) }));
        file.append(rows, issued);
      });
    }
    const changed = planned - done;
    const left = changed > 0 ? ` ${changed.toLocaleString("en")} got none, since something changed meanwhile.` : "";
    return `${done.toLocaleString("en")} links reissued; ${(before.size + done).toLocaleString("en")} are in ${out}.${left}`;
  });
}

/** Reports who gets a link, before anything changes, and returns how many. On stderr: stdout may be read by a program. */
function reportPlan(batch: string, candidates: Unopened[], { send }: Pick<Terms, "send">): number {
  const sum = { all: 0, revoked: 0, optedOut: 0, unreachable: 0, new: 0, replaced: 0 };
  for (const one of candidates) {
    sum.all += 1;
    if (one.isRevoked) sum.revoked += 1;
    else if (one.isOptedOut) sum.optedOut += 1;
    else if (send && !one.isReachable) sum.unreachable += 1;
    else {
      sum.new += 1;
      sum.replaced += one.liveLinks;
    }
  }
  const written = (count: number) => count.toLocaleString("en");
  const lines = [
    `Opened no link in the batch '${batch}': ${written(sum.all)}.`,
    ...(sum.revoked > 0 ? [`Left out, since their links were revoked: ${written(sum.revoked)}.`] : []),
    ...(sum.optedOut > 0 ? [`Left out, since they have stopped our messages: ${written(sum.optedOut)}.`] : []),
    ...(sum.unreachable > 0 ? [`Left out, since no message can be sent to them: ${written(sum.unreachable)}.`] : []),
    `New links: ${written(sum.new)}${send ? ", each sent as an invitation" : ""}. Working links that they replace: ${written(sum.replaced)}.`,
  ];
  console.error(lines.join("\n"));
  return sum.new;
}
