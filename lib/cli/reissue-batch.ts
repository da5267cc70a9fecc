import { answers, invitableAnswers } from "@/lib/domain/application";
import { reissueAll, type Unopened, unopenedOf } from "@/lib/server/invitations/links";
import { inChunks } from "./in-chunks";
import { linksFile } from "./links-file";

const headings = invitableAnswers.map((name) => answers[name].flag ?? name);
const cellsOf = (one: Unopened) => invitableAnswers.map((name) => String(one[name] ?? ""));
/** Few: the rows of applications stay locked until all their links are on the disk. */
const linksAtOnce = 100;

interface Terms {
  batch: string;
  out: string;
  expiresDays: number;
  by: string;
  send?: boolean;
}

/** New links, into a file, for those of a batch who have opened none. Run again, it goes on where it stopped. */
export async function reissueBatch({ batch, out, ...terms }: Terms): Promise<string> {
  const file = await linksFile(out, headings, ",");
  async function* rows(): AsyncGenerator<Unopened & { cells: string[] }> {
    for await (const one of unopenedOf(batch))
      if (!file.references.has(one.reference)) yield { ...one, cells: cellsOf(one) };
  }
  let done = 0;
  for await (const some of inChunks(rows(), linksAtOnce)) {
    await reissueAll(some, terms, (issued) => file.append(some, issued));
    done += some.length;
  }
  return `${done.toLocaleString("en")} links reissued; ${(file.references.size + done).toLocaleString("en")} are in ${out}.`;
}
