import { contactOf } from "@/lib/server/invitations/create-invitations";
import { openApplications } from "@/lib/server/invitations/issued-already";
import { inChunks } from "./in-chunks";
import type { InvitationRow } from "./invitation-rows";
import { noContact } from "./require-sending";

const mostNamed = 10;
const rowsAtOnce = 500;

interface Terms {
  name: string;
  allowDuplicates: boolean;
  send: boolean;
}

/** Reads every row before any link is issued. Throws for what is wrong: the first ten lines and a count. */
export async function checkInvitations(rows: AsyncIterable<InvitationRow>, terms: Terms): Promise<number> {
  const named: string[] = [];
  const lineOf = new Map<string, number>();
  let wrong = 0;
  let count = 0;
  const fault = (line: number, what: string) => {
    wrong += 1;
    if (named.length < mostNamed) named.push(`${terms.name}, line ${line}: ${what}`);
  };
  for await (const some of inChunks(rows, rowsAtOnce)) {
    count += some.length;
    const mobiles = some.flatMap(({ line, invitation }) => {
      try {
        const read = invitation();
        if (terms.send && !contactOf(read)) throw new Error(noContact);
        return [{ line, mobile: read.answers.mobile ?? "" }];
      } catch (error) {
        fault(line, (error as Error).message);
        return [];
      }
    });
    if (terms.allowDuplicates) continue;
    const open = await openApplications(mobiles.map(({ mobile }) => mobile));
    for (const { line, mobile } of mobiles) {
      const before = lineOf.get(mobile);
      if (before !== undefined) fault(line, `mobile ${mobile} is on line ${before}, too`);
      else if (open.has(mobile)) fault(line, `mobile ${mobile} has an open application, ${open.get(mobile)}`);
      else lineOf.set(mobile, line);
    }
  }
  if (wrong > 0) throw new Error([...named, ...sum(wrong, named.length), "Nothing was created."].join("\n"));
  return count;
}

function sum(wrong: number, named: number): string[] {
  return wrong > named
    ? [`… and ${(wrong - named).toLocaleString("en")} more lines, ${wrong.toLocaleString("en")} in all.`]
    : [];
}
