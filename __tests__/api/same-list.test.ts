import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { freshDatabase } from "@/__tests__/support/database";
import { ownLists, printedErrors, referencesIn } from "@/__tests__/support/own-lists";
import { until } from "@/__tests__/support/until";
import { type Issue, issueInOneTransaction, issueIntoFile } from "@/lib/cli/invitations/issue-links";
import { openLinksFile } from "@/lib/cli/invitations/links-file";
import { notCommitted } from "@/lib/cli/shared/output";
import { eraseApplication } from "@/lib/server/applications/erase";
import { prisma } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { invitationSchema } from "@/lib/server/invitations/invitation";
import { shareListLock, withListLock } from "@/lib/server/invitations/list-lock";

Object.assign(process.env, { SMTP_URL: "smtp://127.0.0.1:9", REMINDER_DAYS: "off", APP_URL: "https://a.example" });

const { appUrl, sql, untilWaiting, url } = freshDatabase();

const { path, mobileOf, emailOf } = ownLists();
const errorLines = printedErrors();
/** CSV rows of applicants that no other test invites. */
const people = (count: number) => Array.from({ length: count }, (_, n) => `${mobileOf(n)},${emailOf(n)}`);

function issueOf(rows: string[], options: Partial<Issue> = {}, headings = "mobile,email"): Issue {
  const csv = path("in.csv");
  writeFileSync(csv, `${[headings, ...rows].join("\n")}\n`);
  return { csv, batch: "", by: "Ines", carried: [], allowDuplicates: false, send: false, preview: false, ...options };
}
const createdReferences = async () => {
  const rows = await sql("SELECT reference FROM applications WHERE mobile LIKE $1", [
    mobileOf(0).replace(/0{6}$/, "%"),
  ]);
  return rows.map(({ reference }) => reference).sort();
};

test("the second of two concurrent runs of one list is refused: each row gets one application and one message", async () => {
  const issue = issueOf(people(600), { batch: "together", send: true });
  const runs = await Promise.allSettled(["a.csv", "b.csv"].map((out) => issueIntoFile(issue, path(out))));
  expect(runs.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = runs.find((run) => run.status === "rejected");
  expect(String(refused?.reason.message)).toMatch(
    /^Another list run by Ines on \S+, process \d+, has been running since 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \S+\. Try again when it has finished\.$/,
  );
  expect(await createdReferences()).toHaveLength(600);
  const everybody = emailOf(0).replace(/^.+@/, "%@");
  const messages = await sql("SELECT recipient FROM messages WHERE recipient LIKE $1", [everybody]);
  expect([messages.length, new Set(messages.map(({ recipient }) => recipient)).size]).toEqual([600, 600]);
  const inFiles = [...referencesIn(path("a.csv")), ...referencesIn(path("b.csv"))];
  expect(inFiles.sort()).toEqual(await createdReferences());
});

test("two transactions that insert the same rows create each once: the database decides, not the lock", async () => {
  const rows = Array.from({ length: 300 }, (_, n) => ({ hash: `row ${n}`, mobile: mobileOf(n) }));
  const create = (list: typeof rows) => {
    const invitations = list.map(({ mobile }) => invitationSchema.parse({ mobile }));
    const seen: number[] = [];
    const beforeCommit = (_: IssuedLink[], positions: number[]) => void seen.push(...positions);
    const rowHashes = list.map(({ hash }) => hash);
    return createInvitations(invitations, { batch: "crossed", rowHashes, beforeCommit }).then((issued) => ({
      issued: issued.map(({ reference }) => reference),
      mobiles: seen.map((position) => list[position]?.mobile),
    }));
  };
  const [first, second] = await Promise.all([create(rows), create(rows.slice(100))]);
  const made = await sql("SELECT reference, mobile FROM applications WHERE batch = 'crossed'");
  expect(made).toHaveLength(300);
  const stored = new Map(made.map(({ reference, mobile }) => [reference, mobile]));
  for (const { issued, mobiles } of [first, second])
    expect(issued.map((reference) => stored.get(reference))).toEqual(mobiles);
  expect(new Set([...first.issued, ...second.issued]).size).toBe(300);
});

test.each([
  ["another file", { batch: "spring" }],
  ["another file without --batch", {}],
  ["another file, duplicates allowed", { batch: "spring", allowDuplicates: true }],
])("a list that is run again into %s creates nothing, and says in which batch its rows are", async (_, options) => {
  await issueIntoFile(issueOf(people(3), { batch: "spring" }), path("a.csv"));
  const again = await issueIntoFile(issueOf(people(4), options), path("b.csv"));
  expect(again).toBe(`1 link issued; 1 is in ${path("b.csv")}.`);
  expect(errorLines).toEqual([
    "3 rows already have applications, in the batch 'spring', and nothing was created for them. Links cannot be printed again: npm run links -- reissue --batch 'spring' --unopened --out FILE issues new ones.",
  ]);
  expect(await createdReferences()).toHaveLength(4);
});

test("without --out, a list that is run again prints nothing new", async () => {
  const issue = issueOf(people(3));
  const printed: string[] = [];
  const print = async (issued: IssuedLink[]) => void printed.push(...issued.map(({ reference }) => reference));
  await issueInOneTransaction(issue, async (issued) => {
    await expect(issueInOneTransaction(issue, print)).rejects.toThrow("list run by Ines");
    await print(issued);
  });
  expect(printed).toHaveLength(3);
  await issueInOneTransaction(issue, print);
  expect(printed.sort()).toEqual(await createdReferences());
  expect(errorLines.join()).toMatch(/^3 rows already have applications, without a batch \(\S+, \S+, \S+\)/);
});

test("without --out, the command warns of links that were printed and could not be committed, and none is created", async () => {
  const issue = issueOf(people(2));
  const lostOnTheWay = issueInOneTransaction(issue, async () => {
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1893774
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  });
  await expect(lostOnTheWay).rejects.toThrow();
  expect(errorLines).toEqual([notCommitted]);
  expect(await createdReferences()).toHaveLength(0);
});

test("links that nobody reads keep the mobiles of a list locked for half a minute at most", async () => {
  const invitation = invitationSchema.parse({ mobile: mobileOf(0) });
  let limit: unknown;
  await createInvitations([invitation], {
    beforeCommit: async (_, __, tx) => {
      limit = await tx.$queryRaw`SELECT current_setting('idle_in_transaction_session_timeout') AS limit`;
    },
  });
  expect(limit).toEqual([{ limit: "30s" }]);
});

test("a list that is run again does not bring back a person who was erased", async () => {
  const issue = issueOf(people(2), { batch: "erased" });
  await issueIntoFile(issue, path("a.csv"));
  const [erased = ""] = referencesIn(path("a.csv"));
  await eraseApplication(erased, "Vera");
  for (const out of ["a.csv", "b.csv"])
    expect(await issueIntoFile({ ...issue, batch: "" }, path(out))).toContain("0 links issued");
  expect(await sql("SELECT FROM applications WHERE batch = 'erased'")).toHaveLength(2);
  expect(await createdReferences()).toHaveLength(1);
});

test("a row is recognised when its columns are moved, added or spelled differently, but not when a value differs", async () => {
  await issueIntoFile(issueOf(people(2), { batch: "moved" }), path("a.csv"));
  const moved = people(2).map((row) => row.split(",").reverse().join(",").concat(","));
  const headings = "Email,Mobile,First Name";
  const issue = issueOf(moved, { batch: "moved" }, headings);
  expect(await issueIntoFile(issue, path("b.csv"))).toContain("0 links issued");
  const named = issueOf([`${moved[0]}Ada`], { batch: "moved", allowDuplicates: true }, headings);
  expect(await issueIntoFile(named, path("c.csv"))).toContain("1 link issued");
});

test("identical rows that are allowed become one application each, once", async () => {
  const [row = ""] = people(1);
  const terms = { batch: "identical", allowDuplicates: true };
  expect(await issueIntoFile(issueOf([row, row], terms), path("a.csv"))).toContain("2 links issued; 2 are in");
  expect(await issueIntoFile(issueOf([row, row, row], terms), path("a.csv"))).toContain("1 link issued; 3 are in");
  expect(await issueIntoFile(issueOf([row, row, row], terms), path("b.csv"))).toContain("0 links issued");
  expect(await createdReferences()).toHaveLength(3);
});

test("a run whose lock is lost commits nothing more, and the next one starts at once", async () => {
  const lock =
    "pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'list run by Ines on %'";
  await withListLock("Ines", async (requireLock) => {
    await requireLock();
    await sql(`SELECT pg_terminate_backend(${lock.replace(" FROM", ") FROM")}`);
    await until(async () => (await sql(`SELECT ${lock}`)).length === 0);
    await expect(requireLock()).rejects.toThrow();
    expect(await withListLock("Rui", async () => "runs")).toBe("runs");
  });
});

test("a run waits for the last transaction of the run before it, which may still be committing", async () => {
  const steps: string[] = [];
  let next: Promise<unknown> | undefined;
  await prisma().$transaction(async (tx) => {
    await shareListLock(tx);
    next = withListLock("Rui", async () => steps.push("the next run starts"));
    await untilWaiting(1);
    steps.push("the last transaction ends");
  });
  await next;
  expect(steps).toEqual(["the last transaction ends", "the next run starts"]);
});

test("a long run keeps its lock under a limit for idle transactions, and its name leaves room for the process", async () => {
  const role = `ALTER ROLE CURRENT_USER IN DATABASE "${new URL(url).pathname.slice(1)}"`;
  await withConnection(appUrl, (app) => app.query(`${role} SET idle_in_transaction_session_timeout = '1s'`));
  const [name] = await withListLock("Ines of the operations team in Sydney", async (requireLock) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await requireLock();
    // Other tests run lists in their own databases of the same Postgres.
    return sql(`SELECT application_name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'list run by %'`);
  });
  await withConnection(appUrl, (app) => app.query(`${role} RESET idle_in_transaction_session_timeout`));
  expect(name?.application_name).toMatch(new RegExp(`^list run by Ines of the oper on .*, process ${process.pid}$`));
});

test("lines that another program wrote into the links file meanwhile are kept", async () => {
  const file = await openLinksFile(path("a.csv"), ["mobile"], ",");
  const link = { reference: "K7QM-4XRT", link: "https://a.example/?token=x", token: "x", expiresAt: "2026-12-24" };
  file.append([{ cells: ["61412345678"] }], [link]);
  appendFileSync(path("a.csv"), "61412345679,another run's link\r\n");
  expect(() => file.append([{ cells: ["61412345670"] }], [link])).toThrow("another program has written to it");
  expect(readFileSync(path("a.csv"), "utf8")).toContain("another run's link");
});
