import { type Listed, listedApplications } from "@/lib/server/invitations/issued-already";
import { inChunks } from "./in-chunks";
import type { InvitationRow } from "./invitation-rows";

const rowsAtOnce = 500;
const mostNamed = 10;

/** The rows that are no application yet; `onListed` gets the application of each other row. */
export async function* newRows(
  rows: AsyncIterable<InvitationRow>,
  batch: string,
  onListed: (listed: Listed) => void = () => {},
): AsyncGenerator<InvitationRow> {
  for await (const some of inChunks(rows, rowsAtOnce)) {
    const applications = await listedApplications(
      batch,
      some.map((row) => row.hash),
    );
    for (const row of some) {
      const listed = applications.get(row.hash);
      if (listed) onListed(listed);
      else yield row;
    }
  }
}

/** Reports the rows for which nothing is created. On stderr: stdout may be read by a program. */
export function reportListed(applications: Listed[]): void {
  for (const [batch, listed] of byBatch(applications))
    console.error(batch === "" ? ofNoBatch(listed) : ofBatch(listed, batch));
}

function byBatch(applications: Listed[]): Map<string, Listed[]> {
  const batches = new Map<string, Listed[]>();
  for (const one of applications) {
    const others = batches.get(one.batch);
    if (others) others.push(one);
    else batches.set(one.batch, [one]);
  }
  return batches;
}

const counted = (count: number) =>
  count === 1 ? "1 row is an application already" : `${count.toLocaleString("en")} rows are applications already`;

function ofBatch({ length }: Listed[], batch: string): string {
  return `${counted(length)}, in the batch '${batch}', and nothing was created for ${length === 1 ? "it" : "them"}. Links cannot be printed again: npm run links -- reissue --batch '${batch}' --unopened --out FILE makes new ones.`;
}

function ofNoBatch(listed: Listed[]): string {
  const named = listed.slice(0, mostNamed).map(({ reference }) => reference);
  const references = [...named, ...(listed.length > mostNamed ? ["…"] : [])].join(", ");
  return `${counted(listed.length)}, without a batch (${references}), and nothing was created for ${listed.length === 1 ? "it" : "them"}. Links cannot be printed again: npm run links -- reissue REFERENCE makes a new one. To invite the same people anew, name a new --batch.`;
}
