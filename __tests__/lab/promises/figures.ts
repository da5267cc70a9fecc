import { expect } from "@/__tests__/lab/promises/support/expect";
import { many, manyPeople } from "@/__tests__/lab/promises/support/many-applications";
import { promise } from "@/__tests__/lab/promises/support/world";
import { withConnection } from "@/lib/server/db/connection";
import { type FiguresFilter, groupings } from "@/lib/server/figures/figures";
import { countOrReadFigures, storeFigures } from "@/lib/server/figures/stored-figures";

const inBatch = 5_000;
const mostMs = 2_000;

/** Gives each application a sent invitation and a link, which is opened if it was submitted. */
const sentAndOpened = `
INSERT INTO links ("applicationId", "createdAt", "expiresAt", "openedAt", device)
SELECT id, "createdAt", "createdAt" + interval '30 days', "submittedAt", 'phone' FROM applications;
INSERT INTO messages ("applicationId", kind, channel, recipient, state, "sentAt")
SELECT id, 'invitation', 'email', "invitedEmail", 'sent', "createdAt" FROM applications`;

promise(77, async ({ postgres }) => {
  const database = await postgres.createDatabase("figures");
  await withConnection(database, async (client) => {
    await client.query(
      "SET session_replication_role = replica; SET synchronous_commit = off; DROP INDEX applications_search, applications_search_mobiles",
    );
    await client.query(manyPeople(many, `'batch ' || (n - 1) / ${inBatch}`));
    await client.query(sentAndOpened);
    await client.query("VACUUM ANALYZE");
  });
  const filters: [name: string, filter: FiguresFilter][] = [
    ["of everything", { since: null }],
    ["of a batch", { since: null, batch: "batch 1" }],
    ["of the last week", { since: new Date(Date.now() - 7 * 86_400_000) }],
  ];
  const times: string[] = [];
  const storing = performance.now();
  await storeFigures(database);
  const storedIn = (performance.now() - storing) / 1000;
  for (const [name, filter] of filters) {
    const measure = async () => {
      const begun = performance.now();
      const { isStored } = await countOrReadFigures(filter, database);
      return { milliseconds: Math.round(performance.now() - begun), isStored };
    };
    // The first run reads from the disk and is not counted.
    await measure();
    const { milliseconds, isStored } = await measure();
    times.push(`${name} ${milliseconds} ms${isStored ? " (stored)" : ""}`);
    expect(milliseconds <= mostMs, `figures ${name}: ${milliseconds} ms`);
  }
  return `among ${many.toLocaleString("en")} applications: figures ${times.join(", ")}; counted and stored in ${Math.round(storedIn)} s, so that counting up to all of them, as an older --since does each time, takes about ${Math.round(storedIn / groupings.length)} s`;
});
