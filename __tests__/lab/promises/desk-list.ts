import { compareSaves } from "@/__tests__/lab/promises/support/compare-saves";
import { expect } from "@/__tests__/lab/promises/support/expect";
import { many, manyPeople } from "@/__tests__/lab/promises/support/many-applications";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { promise } from "@/__tests__/lab/promises/support/world";
import { quantile } from "@/__tests__/support/processes/figures";
import { readListPage } from "@/lib/server/applications/list-page";
import { withConnection } from "@/lib/server/db/connection";
import { pageRequest, readListQuery } from "@/lib/server/desk/list-query";

const people = Math.min(many, 1_000_000);
const mostMs = 150;
const rounds = 20;
/** The indexes that only lists need. */
const indexes = ["applications_taken_by_idx", `"links_expiresAt_idx"`];

/** Links, consents, and what filters ask for, in shares such as a lender may have. */
const asFilters = `
INSERT INTO links ("applicationId", "createdAt", "expiresAt", "openedAt", device)
SELECT id, "createdAt", "createdAt" + interval '30 days', CASE WHEN substr(mobile, 4)::int % 3 > 0 THEN "createdAt" END, ''
FROM applications;
INSERT INTO consent_records ("applicationId", version, document, "documentHash", "authoriseAgent", "provideSelf", "confirmLoan",
  "consentedAt")
SELECT id, '1', 'I authorise the lender.', '', true, substr(mobile, 4)::int % 10 = 1, true, "submittedAt"
FROM applications WHERE status <> 'draft';
UPDATE applications SET batch = 'old' WHERE substr(mobile, 4)::int > ${people - 5000};
UPDATE applications SET "takenBy" = 'casey.clerk@lender.example' WHERE substr(mobile, 4)::int % 50 = 7;
UPDATE applications SET "landlordSavedAt" = "createdAt" WHERE substr(mobile, 4)::int % 20 = 2;
UPDATE applications SET "landlordSavedAt" = "createdAt", "agentSavedAt" = "createdAt" WHERE substr(mobile, 4)::int % 20 = 4;
UPDATE applications SET mobile = '61400000002' WHERE mobile = '61400000004'`;

const filters: Record<string, string>[] = [
  ...["draft", "submitted", "paid"].map((status) => ({ status })),
  ...["spring", "old"].map((batch) => ({ batch })),
  ...["yes", "no"].map((opened) => ({ opened })),
  ...["1", "2", "3"].map((step) => ({ step })),
  ...["casey.clerk@lender.example", "nobody"].map((name) => ({ "taken-by": name })),
  ...["agent", "self"].map((documents) => ({ documents })),
  { duplicate: "yes" },
];
/** Frequent and rare, new and old: names, an address, a postcode, parts of an email and of a phone number, a reference. */
const searches = [
  ...[
    "ngu",
    "zoe hassan",
    "brunswick",
    "3056",
    "maria5",
    "maria51@mail",
    "grace999",
    `${people - 7} wattle`,
    "500 wattle",
  ],
  ...["realty 399", "0000 5123", "61400005123", "99999", "nobodyhere", "ZZZZ-ZZZZ"],
].map((q) => ({ q }));

/** The milliseconds of each repetition. The first one reads from the disk and is not counted. */
async function timesOf(query: Record<string, string>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    await readListPage(pageRequest(readListQuery(query).query));
    times.push(performance.now() - begun);
  }
  return times.slice(1);
}

interface Measured {
  what: string;
  p95: number;
}

/** The slowest first. */
async function slowest(queries: Record<string, string>[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const query of queries) {
    const what = Object.entries(query).join().replace(",", "=") || "first page";
    measured.push({ what, p95: quantile(await timesOf(query), 0.95) });
  }
  return measured.sort((one, other) => other.p95 - one.p95);
}

const inWords = (measured: Measured[]) =>
  measured
    .slice(0, 4)
    .map(({ what, p95 }) => `${what} ${Math.round(p95)} ms`)
    .join(", ");

promise(87, async (world) => {
  const { postgres, database: elsewhere } = world;
  const database = await postgres.createDatabase("desk_list");
  await withConnection(database, async (client) => {
    const found = ["applications_search", "applications_search_mobiles"];
    const { rows } = await client.query(
      "SELECT string_agg(pg_get_indexdef(i::regclass), ';') AS made FROM unnest($1::text[]) AS i",
      [found],
    );
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off; DROP INDEX ${found}`);
    await client.query(manyPeople(people));
    await client.query(asFilters);
    await client.query(rows[0].made);
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  });
  const [limited, unlimited] = await on(database, async () => [
    await slowest([{}, ...searches]),
    await slowest(filters),
  ]);
  const figure = `the slowest of ${searches.length} searches and the first page: ${inWords(limited)}; of ${filters.length} filters: ${inWords(unlimited)}`;
  expect((limited[0]?.p95 ?? 0) <= mostMs, `p95 of ${figure}`);

  await withConnection(elsewhere, (client) => client.query("CREATE DATABASE desk_list_without TEMPLATE desk_list"));
  const without = new URL(database);
  without.pathname = "/desk_list_without";
  await withConnection(without.href, (client) => client.query(`DROP INDEX ${indexes}`));
  const ratio = await compareSaves(world, database, without.href);
  expect(ratio >= 0.95, `saves with the list's indexes: ${ratio.toFixed(3)} × those without`);
  return `among ${people.toLocaleString("en")} applications, p95 of ${figure}; saves ${ratio.toFixed(2)} × those without the list's indexes`;
});
