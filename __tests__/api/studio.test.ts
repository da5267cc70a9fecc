import { randomBytes } from "node:crypto";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findBrowser } from "@/__tests__/support/browser";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { freePort } from "@/__tests__/support/processes/app";
import { type Studio, startStudio } from "@/__tests__/support/processes/studio";

jest.setTimeout(120_000);

/** Only the process that startStudio starts serves anything. */
jest.mock("@/lib/server/studio/studio-server", () => ({
  async serveStudio(_: number, databaseUrl: string) {
    throw new Error(`Studio starts as ${new URL(databaseUrl).username}.`);
  },
}));

interface Relation {
  name: string;
  columns: { name: string; fk_table: string | null }[];
}

const { url, appUrl, operationsUrl, readerUrl, sql } = freshDatabase();
/** Studio reports only the SQLSTATE of an error. */
const insufficientPrivilege = "42501";
const readOnly = "25006";
const oneStatement = "42601";

describe("with the database user of operations, whose commands may do more", () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await startStudio({ DATABASE_URL: appUrl, OPERATIONS_DATABASE_URL: operationsUrl }, await freePort());
  });
  afterAll(() => studio.end());

  test("the printed address opens Studio, and a cookie keeps it open; other requests are refused", async () => {
    const { port, call, ours } = studio;
    const { host } = ours;
    // A browser resolves localhost to ::1 first, where another user of the machine may hold the port and read the secret.
    expect(studio.address).toMatch(new RegExp(`^http://${host}/\\?secret=[\\w-]{43}$`));
    const page = await call("/", ours);
    expect([page.status, page.headers["content-security-policy"]]).toEqual([200, "connect-src 'self'"]);
    const strangers = [
      call("/", { host }),
      call("/studio.js", { host }),
      call("/?secret=", { host }),
      call("//", { host }),
      call("*", { host }),
      call("http://attacker.example/", { host }),
      call("/?secret=wrong", { host, cookie: `studio-${port}=wrong` }),
      call("/bff", { host, "content-type": "application/json" }, "{}"),
      call("/", { ...ours, host: "attacker.example" }),
      call("/", { ...ours, host: `localhost:${port}` }),
      call("/bff", { ...ours, origin: "https://attacker.example" }, "{}"),
    ];
    const refused = { status: 403, text: "Open the address that npm run studio printed when it started." };
    expect(await Promise.all(strangers)).toMatchObject(strangers.map(() => refused));
  });

  test("the start is recorded with the login that started Studio", async () => {
    const read = { command: "studio", count: null, reference: "", databaseUser: new URL(operationsUrl).username };
    const reads = await sql(`SELECT command, by, count, reference, "databaseUser" FROM data_reads`);
    expect(reads).toEqual([{ ...read, by: expect.stringMatching(/./) }]);
  });

  test("Studio's endpoint reads applications", async () => {
    const { reference } = await invited();
    expect(await studio.run("SELECT reference FROM applications")).toContain(reference);
  });

  test("dates, amounts and times are read as Postgres writes them, in the lender's time zone", async () => {
    const written = await studio.run(
      "SELECT '2026-03-01'::date AS start, '{2450.50,300}'::numeric(12,2)[] AS quotes, '2026-11-23T16:25Z'::timestamptz AS at",
    );
    const read = [{ start: "2026-03-01", quotes: "{2450.50,300.00}", at: "2026-11-24 03:25:00+11" }];
    expect(JSON.parse(written)).toEqual(read);
  });

  test.each([
    [`SELECT "tokenHash" FROM link_tokens`, insufficientPrivilege],
    ["SELECT erase_applications(array_agg(id), '') FROM applications", insufficientPrivilege],
    ["UPDATE applications SET status = 'approved'", readOnly],
    ["ALTER ROLE CURRENT_USER PASSWORD 'another'", readOnly],
    ["CREATE TABLE pg_temp.own (id int)", readOnly],
    ["DO $$ BEGIN EXECUTE 'ALTER ROLE ' || quote_ident(session_user) || ' CONNECTION LIMIT 0'; END $$", readOnly],
    ["DO $$ BEGIN COMMIT; END $$", "2D000"],
    ["SELECT set_config('transaction_read_only', 'off', false)", "25001"],
    ["COMMIT; ALTER ROLE CURRENT_USER PASSWORD 'another'", oneStatement],
    ["SET ROLE none; SELECT set_application_status(id, 'approved', '', '') FROM applications", oneStatement],
  ])("Studio's endpoint is refused %s", async (sql, code) => {
    await expect(studio.run(sql)).rejects.toThrow(code);
  });

  test("no statement changes the session of the next one", async () => {
    for (const sql of ["COMMIT", "SET default_transaction_read_only = off", "SET TRANSACTION READ WRITE"])
      await studio.run(sql).catch(() => {});
    await expect(studio.run("ALTER ROLE CURRENT_USER PASSWORD 'another'")).rejects.toThrow(readOnly);
  });

  describe("in a browser", () => {
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      browser = await chromium.launch(findBrowser());
      page = await browser.newPage({ viewport: { width: 1440, height: 800 } });
    });
    afterAll(() => browser.close());

    const rows = () => page.locator("tbody tr");
    /** Searches the table just opened, and waits until its rows name one person and not the other. */
    const search = async (words: string, found: string, other: string) => {
      // The table before this one has a search of its own, which closes with that table.
      for (const hasText of [found, other]) await rows().filter({ hasText }).waitFor();
      await page.getByLabel("Global search").first().click();
      await page.getByPlaceholder("Global search").fill(words);
      await rows().filter({ hasText: found }).waitFor();
      await rows().filter({ hasText: other }).waitFor({ state: "detached" });
    };

    const openApplicationList = async () => {
      await page.getByRole("link", { name: "application_list" }).click();
      await rows().filter({ hasText: "Zoë" }).waitFor();
    };

    test("Studio's page gets the tables and views that people read, with the reference as their first column", async () => {
      const schema = page.waitForResponse("**/bff");
      await page.goto(studio.address);
      const [, relations]: [null, Relation[]] = await (await schema).json();
      const columnsOf = (relation: string) => relations.find(({ name }) => name === relation)?.columns ?? [];
      const namesOf = (relation: string) => columnsOf(relation).map(({ name }) => name);
      expect(relations.map(({ name }) => name)).toEqual([
        ...["application_list", "api_requests", "applications", "consents_by_reference", "data_reads"],
        ...["events_by_reference", "evidence_log", "evidence_pending", "links_by_reference", "message_attempts"],
        ...["messages_by_reference", "stored_figures", "suppressions"],
      ]);
      expect(namesOf("application_list").slice(0, 5)).toEqual(["reference", "status", "name", "mobile", "submitted"]);
      expect(namesOf("applications").slice(0, 4)).toEqual(["reference", "status", "firstName", "invitedFirstName"]);
      expect(namesOf("events_by_reference").slice(0, 1)).toEqual(["reference"]);
      expect(namesOf("applications")).not.toContain("searchText");
      expect(columnsOf("events_by_reference")[0]?.fk_table).toBe("application_list");
      expect(columnsOf("application_list")[0]?.fk_table).toBeNull();
    });

    test("operations log in, see the list of applications and search it", async () => {
      await invited({ firstName: "Ada", lastName: "Lovelace", mobile: "61412345699" });
      await invited({ firstName: "Zoë", lastName: "Ng" });
      await page.goto(studio.address);
      await rows().nth(1).waitFor();
      expect(page.url()).not.toContain("secret");
      const headings = await page.locator("thead th").allInnerTexts();
      const names = headings.map((text) => text.split(/\s/)[0]).filter(Boolean);
      expect(names.slice(0, 5)).toEqual(["reference", "status", "name", "mobile", "submitted"]);
      await page.getByLabel("Global search").first().click();
      await page.getByPlaceholder("Global search").fill("0412 345 699");
      await page.getByText("Lovelace").first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    });

    test("the icons in Studio's headings, which say nothing here, are found and hidden by studio-page.css", async () => {
      const icons = [
        ".lucide-key-round.text-amber-500",
        ".lucide-calculator",
        '[data-testid="column-header-controls"]',
      ];
      for (const icon of icons) {
        const first = page.locator(`th ${icon}`).first();
        await first.waitFor({ state: "attached" });
        expect([icon, await first.isVisible()]).toEqual([icon, false]);
      }
    });

    describe("among others", () => {
      beforeAll(async () => {
        const name = { firstName: "Åsa", lastName: "O’Brien-Söderberg" };
        await invited({ ...name, propertyAddress: "12 High St, Byron Bay 2481", mobile: "61400777001" });
        await sql(`UPDATE applications SET "invitedMobile" = '61400777002' WHERE mobile = '61400777001'`);
      });

      test.each(["obrien", "12 High St, Byron Bay 2481", "0400 777 002"])(
        "operations find an application by %s, whatever its accents and apostrophes",
        async (words) => {
          const search = page.getByPlaceholder("Global search");
          // Shows everybody again, so that the rows of an earlier search do not count.
          await search.fill("");
          await page.getByText("Zoë").first().waitFor();
          await search.fill(words);
          await page.waitForFunction(() => {
            const found = document.querySelector("tbody")?.textContent ?? "";
            return found.includes("O’Brien-Söderberg") && !/Lovelace|Zoë/.test(found);
          });
        },
      );
    });

    test("operations find nobody by an apostrophe alone", async () => {
      await page.getByPlaceholder("Global search").fill("'");
      await page.waitForFunction(() => !/Söderberg|Lovelace/.test(document.querySelector("tbody")?.textContent ?? ""));
    });

    test("operations see the newest reads first, and search them", async () => {
      const reads = "('earlier', 'Ines', '2026-03-01'), ('later', 'Vera', '2026-03-02')";
      await sql(`INSERT INTO data_reads (command, by, at) VALUES ${reads}`);
      await page.getByRole("link", { name: "data_reads" }).click();
      await rows().filter({ hasText: "later" }).waitFor();
      expect((await rows().allInnerTexts()).join(" ")).toMatch(/later.*earlier.*studio/s);
      await search("ines", "earlier", "later");
      await openApplicationList();
    });

    test("operations search a table that has no references", async () => {
      const addresses = "('email', 'a', 'Vera', ''), ('sms', 'b', 'Ines', '')";
      await sql(`INSERT INTO suppressions (channel, "addressHash", by, reason) VALUES ${addresses}`);
      await page.getByRole("link", { name: "suppressions" }).click();
      await search("ines", "Ines", "Vera");
      await openApplicationList();
    });

    test("Studio offers to insert a row, and reports that it failed", async () => {
      await page.getByText("Insert row").click();
      await page.getByRole("button", { name: "Save 1 row" }).click();
      await page.getByRole("button", { name: "yes, write to db" }).click();
      await page.getByText('"insert" operation failed').waitFor();
    });

    test("without a session, operations see what to do, not an empty table", async () => {
      await page.context().clearCookies();
      await page.getByRole("link", { name: "events_by_reference" }).click();
      await page.getByText("Open the address that npm run studio printed").waitFor();
    });
  });
});

/** Runs `npm run studio` in this process, up to the point where it would begin to serve. */
const start = async (env: Record<string, string>) =>
  callCommand("studio", ["--port", String(await freePort())], env).then(({ err }) => err);

test("Studio starts as the reader that an administrator created, and says what is missing where there is none", async () => {
  const { username } = new URL(readerUrl);
  expect(await start({ OPERATIONS_DATABASE_URL: readerUrl })).toBe(`Studio starts as ${username}.\n`);
  const alone = new URL(operationsUrl);
  const lender = `test_studio_${randomBytes(4).toString("hex")}`;
  await sql(`CREATE ROLE ${lender}_operations LOGIN PASSWORD '${alone.password}' IN ROLE "${alone.username}"`);
  alone.username = `${lender}_operations`;
  const refused = await start({ OPERATIONS_DATABASE_URL: alone.href });
  await sql(`DROP ROLE ${lender}_operations`);
  expect(refused).toContain(`${lender}_reader cannot log in. Run 'npm run roles'`);
});

/** Studio derives the reader's password from the URL alone. */
function passwordOutside(databaseUrl: string) {
  const address = new URL(databaseUrl);
  const { password } = address;
  address.password = "";
  return { OPERATIONS_DATABASE_URL: address.href, PGPASSWORD: decodeURIComponent(password) };
}

test.each([
  ["the owner", { DATABASE_URL: url }, /is a superuser/],
  ["the app", { DATABASE_URL: appUrl }, /can change applications/],
  ["one that was given too much", { OPERATIONS_DATABASE_URL: appUrl }, /can read link_tokens/],
  [
    "operations with a password outside the URL",
    passwordOutside(operationsUrl),
    /npm run roles' printed, with its passw/,
  ],
])("Studio does not start as %s", async (_, env, reason) => {
  expect(await start(env as unknown as Record<string, string>)).toMatch(reason);
});
