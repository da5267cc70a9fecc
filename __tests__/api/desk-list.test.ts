import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { submitted } from "@/__tests__/support/submitted";
import { countSubmittedSince, newsBaseline, type PageRequest, readListPage } from "@/lib/server/applications/list-page";
import { listAddress, pageRequest, readListQuery } from "@/lib/server/desk/list-query";

const { sql, column, tamper } = freshDatabase();
const everything: PageRequest = { words: "", filter: { statuses: [], since: null }, sort: "newest", after: "" };

/** The references of every page, each of 7. */
async function allPages(request: Partial<PageRequest>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | null = ""; after !== null; ) {
    const page = await readListPage({ ...everything, ...request, after }, { size: 7 });
    pages.push(page.applications.map(({ reference }) => reference));
    after = page.next;
  }
  return pages;
}

let ada = "";
beforeAll(async () => {
  ({ reference: ada } = await submitted({ firstName: "Ada", lastName: "Łukasz" }));
  // Of many, three share a time, and every second one a name, an amount and a status.
  await sql(`INSERT INTO applications (reference, "firstName", "lastName", mobile, "createdAt", "loanAmount", status, "takenBy", batch)
    SELECT 'MMMM-' || translate(lpad(n::text, 4, '0'), '0125678', 'ACDEFGH'), 'First', 'Last ' || n % 2, '61455500' || lpad(n::text, 3, '0'),
      now() - n / 3 * interval '1 hour', CASE n % 3 WHEN 0 THEN 48000 WHEN 1 THEN 1200.5 END,
      CASE n % 2 WHEN 1 THEN 'approved' ELSE 'draft' END::"ApplicationStatus", CASE n % 5 WHEN 0 THEN 'Ines' ELSE '' END, 'spring'
    FROM generate_series(1, 30) AS n`);
});

const orders = {
  newest: `COALESCE("submittedAt", "createdAt") DESC`,
  name: `search_text("lastName"), search_text("firstName")`,
  amount: `COALESCE("loanAmount", -1) DESC, COALESCE("submittedAt", "createdAt") DESC`,
  status: `status, COALESCE("submittedAt", "createdAt") DESC`,
};

test.each(Object.entries(orders))(
  "pages of the list by %s show every application once, in order",
  async (sort, order) => {
    const pages = await allPages({ sort: sort as PageRequest["sort"] });
    expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 7, 3]);
    expect(pages.flat()).toEqual(await column(`SELECT reference FROM applications ORDER BY ${order}, reference`));
  },
);

test.each([
  ["a number and a word", { words: "0455 500 last" }, `mobile LIKE '61455500%'`],
  ["who has taken them", { filter: { ...everything.filter, takenBy: "INES" } }, `"takenBy" = 'Ines'`],
  ["their status", { filter: { ...everything.filter, statuses: ["approved" as const] } }, `status = 'approved'`],
  ["words and their batch", { words: "first", filter: { ...everything.filter, batch: "spring" } }, `batch = 'spring'`],
])("pages of those found by %s show each once", async (_, request, condition) => {
  const found = (await allPages(request)).flat();
  expect(found).toEqual(
    await column(`SELECT reference FROM applications WHERE ${condition} ORDER BY ${orders.newest}, reference`),
  );
});

test("an application that arrives between two pages moves none of the others", async () => {
  const first = await readListPage(everything, { size: 7 });
  const { reference } = await invited({ firstName: "Grace" });
  const second = await readListPage({ ...everything, after: first.next ?? "" }, { size: 7 });
  const expected = await column(
    `SELECT reference FROM applications WHERE reference <> $1 ORDER BY ${orders.newest}, reference LIMIT 14`,
    [reference],
  );
  expect([...first.applications, ...second.applications].map((listed) => listed.reference)).toEqual(expected);
});

test("with more than can be sorted, the newest come first, and the page says so", async () => {
  const { sort, count } = await readListPage({ ...everything, sort: "name" }, { most: 10 });
  expect({ sort, count }).toEqual({ sort: "newest", count: 11 });
});

test("a reference in any form finds its application alone, unless a filter excludes it", async () => {
  const words = ada.toLowerCase().replace("-", "");
  expect((await readListPage({ ...everything, words })).applications).toMatchObject([
    { reference: ada, agent: expect.stringContaining("(") },
  ]);
  const drafts = { ...everything.filter, statuses: ["draft" as const] };
  expect((await readListPage({ ...everything, words, filter: drafts })).applications).toEqual([]);
});

const noTimes = ["0000-01-01T00:00:00.000Z", `2026-01-01T00:00:00.${"0".repeat(130)}Z`];

test.each(["", "x", "2026-03-01T00:00:00Z", "yesterday~MMMM-AAAC", "2026-03-01T00:00:00Z~'", "~~~", ...noTimes])(
  "a page after %j is the first page",
  async (after) => {
    expect(await readListPage({ ...everything, after })).toEqual(await readListPage(everything));
    const withReference = { ...everything, after: `${after}~${ada}` };
    expect(await readListPage(withReference)).toEqual(await readListPage(everything));
  },
);

test("submissions since a list was read are counted, also one that began before, and drafts are not", async () => {
  const { since, known } = await newsBaseline();
  await invited();
  expect(await countSubmittedSince(since)).toBe(known);
  const { id } = await submitted();
  await tamper(`UPDATE applications SET "submittedAt" = now() - interval '20 seconds' WHERE id = $1`, id);
  expect(await countSubmittedSince(since)).toBe(known + 1);
  for (const noTime of ["yesterday'", ...noTimes]) expect(await countSubmittedSince(noTime)).toBe(0);
});

test("the address holds search, filters, order and page, and nothing that is empty or unknown", () => {
  const read = (address: string) => readListQuery(Object.fromEntries(new URL(address, "http://desk").searchParams));
  const sent = read(
    "/desk?q=+ada+&status=approved&batch=&opened=no&step=9&taken-by=&duplicate=yes&sort=name&after=x&token=y",
  );
  expect(sent.isTidy).toBe(false);
  const address = listAddress(sent.query, { after: sent.query.after });
  expect(address).toBe("/desk?q=ada&status=approved&opened=no&duplicate=yes&sort=name&after=x");
  expect(read(address)).toEqual({ query: sent.query, isTidy: true });
  expect(pageRequest(sent.query)).toMatchObject({
    words: "ada",
    filter: { statuses: ["approved"], isOpened: false, step: undefined, isDuplicate: true },
    sort: "name",
    after: "x",
  });
  expect(read("/desk?q=%00&batch=a%00&taken-by=%00")).toEqual({ query: {}, isTidy: false });
  expect(listAddress(sent.query, { sort: "newest" })).not.toContain("after");
});
