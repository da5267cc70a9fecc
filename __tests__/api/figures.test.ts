import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import fc from "fast-check";
import { findBrowser } from "@/__tests__/support/browser";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { reportFigure } from "@/__tests__/support/size";
import {
  type FiguresFilter,
  type GroupBy,
  groupings,
  readFigures,
  type Stage,
} from "@/lib/server/applications/figures";
import { prisma } from "@/lib/server/db/client";
import { insertAll } from "@/lib/server/db/statements";
import { addressHash, mailSystem } from "@/lib/server/messages/outbox/stopped";

const { sql, operationsUrl } = freshDatabase();

/** What happened to one application: minutes since the begin, and null for what did not. */
const minute = fc.integer({ min: 0, max: 100_000 });
const perhaps = fc.option(minute);
const device = fc.constantFrom(null, "phone", "tablet", "computer");
const history = fc.record({
  id: fc.uuid({ version: 4 }),
  invited: minute,
  sent: perhaps,
  openings: fc.uniqueArray(minute, { maxLength: 2 }),
  devices: fc.tuple(device, device),
  saved: fc.tuple(perhaps, perhaps, perhaps),
  submitted: perhaps,
  decisions: fc.array(fc.record({ status: fc.constantFrom("in_review", "approved", "declined"), at: minute }), {
    maxLength: 2,
  }),
  isInvitationFailed: fc.boolean(),
  isReminderFailed: fc.boolean(),
  stoppedBy: fc.constantFrom("email", "sms", "bounce", "nothing"),
  isErased: fc.boolean(),
  source: fc.constantFrom("ba", "ia", ""),
  batch: fc.constantFrom("", "spring", "autumn"),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const begin = Date.parse("2026-01-01T00:00:00Z");
const at = (minutes: number) => new Date(begin + minutes * 60_000).toISOString();
const ordered = (times: number[]) => times.toSorted((one, other) => one - other);

/** The decisions of what was submitted, oldest first: the last counts. */
const decisionsOf = ({ submitted, decisions }: History) =>
  submitted === null ? [] : decisions.toSorted((one, other) => one.at - other.at);

async function store(histories: History[]): Promise<void> {
  const some = histories.map((one, index) => ({ ...one, index }));
  await insertAll(
    prisma(),
    "applications",
    some.map((one) => {
      const column = (n: number) => (one.isErased || one.saved[n] === null ? null : at(one.saved[n] ?? 0));
      return {
        id: one.id,
        reference: `R${one.index}`,
        source: one.source,
        batch: one.batch,
        status: one.submitted === null ? "draft" : (decisionsOf(one).at(-1)?.status ?? "submitted"),
        createdAt: at(one.invited),
        updatedAt: at(one.invited),
        erasedAt: one.isErased ? at(200_000) : null,
        landlordSavedAt: column(0),
        agentSavedAt: column(1),
        leaseSavedAt: column(2),
        submittedAt: one.submitted === null ? null : at(one.submitted),
        invitedEmail: one.isErased ? "" : `Ada${one.index}@mail.example`,
        invitedMobile: one.isErased ? "" : `614${one.index}`,
        ...Object.fromEntries(emptyColumns.map((name) => [name, ""])),
        quotes: [],
        takenBy: "",
      };
    }),
  );
  // As the owner: only its functions record decisions.
  await sql(
    `INSERT INTO events ("applicationId", kind, detail, at)
     SELECT * FROM unnest($1::uuid[], $2::"EventKind"[], $3::text[], $4::timestamptz[])`,
    columnsOf(
      some.flatMap((one) => [
        ...one.saved.flatMap((time, n) => (time === null ? [] : [[one.id, "step_saved", `${n + 1}`, at(time)]])),
        ...decisionsOf(one).map((decision) => [one.id, "status_changed", decision.status, at(decision.at)]),
      ]),
    ),
  );
  await sql(
    `INSERT INTO links ("applicationId", "expiresAt", "openedAt", device)
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[])`,
    columnsOf(
      some.flatMap(({ id, openings, devices }) => [
        ...openings.map((time, n) => [id, at(1), at(time), devices[n]]),
        [id, at(1), null, null],
      ]),
    ),
  );
  await sql(
    `INSERT INTO messages ("applicationId", kind, channel, state, "sentAt")
     SELECT i, k, 'email', s::"MessageState", t FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS u(i, k, s, t)`,
    columnsOf(
      some.flatMap((one) => [
        [one.id, "invitation", one.isInvitationFailed ? "failed" : "sent", one.sent === null ? null : at(one.sent)],
        [one.id, "reminder", one.isReminderFailed ? "failed" : "sent", at(0)],
      ]),
    ),
  );
  const stops = some.flatMap(({ stoppedBy, index }) => {
    if (stoppedBy === "nothing") return [];
    const channel = stoppedBy === "sms" ? "sms" : "email";
    const hash = addressHash(channel, channel === "sms" ? `614${index}` : `ada${index}@mail.example`);
    return [[channel, hash, stoppedBy === "bounce" ? mailSystem : ""]];
  });
  await sql(
    `INSERT INTO suppressions (channel, "addressHash", by) SELECT c::"MessageChannel", h, r FROM unnest($1::text[], $2::text[], $3::text[]) AS u(c, h, r)`,
    columnsOf(stops),
  );
}

const emptyColumns = [
  ...["firstName", "lastName", "mobile", "email", "propertyAddress", "agencyName", "managerFirstName"],
  ...["managerLastName", "contactNumber", "managerEmail", "approval", "invitedFirstName", "invitedLastName"],
  ...["invitedPropertyAddress", "invitedAgencyName", "invitedManagerFirstName", "invitedManagerLastName"],
  ...["invitedContactNumber", "invitedManagerEmail", "consentBasis"],
];
const columnsOf = (rows: unknown[][]) => (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));

/** When each stage was reached, as a person would read it from the history. */
function timesOf(one: History): Record<Stage, number | null> {
  const [step1, step2, step3] = one.saved;
  const last = decisionsOf(one).at(-1);
  return {
    invited: one.invited,
    sent: one.sent,
    opened: ordered(one.openings)[0] ?? null,
    step1,
    step2,
    step3,
    reviewed: step1 === null || step2 === null || step3 === null ? null : Math.max(step1, step2, step3),
    submitted: one.submitted,
    decided: last && last.status !== "in_review" ? last.at : null,
  };
}

const groupOf: Record<GroupBy, (one: History) => string> = {
  source: ({ source }) => source || "none",
  batch: ({ batch }) => batch || "none",
  week: ({ invited }) => mondayInSydney(begin + invited * 60_000),
  device({ openings, devices }) {
    const known = openings.map((time, n) => ({ time, device: devices[n] })).filter((one) => one.device);
    return known.toSorted((one, other) => one.time - other.time)[0]?.device ?? "unknown";
  },
};

const inSydney = new Intl.DateTimeFormat("sv", { timeZone: "Australia/Sydney", dateStyle: "short" });

function mondayInSydney(time: number): string {
  const day = inSydney.format(time);
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

function median(values: number[]): number | null {
  const sorted = ordered(values);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return null;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

function bruteForce(group: string, some: History[]) {
  const all = some.map(timesOf);
  const names = Object.keys(all[0] ?? timesOf(some[0] as History)) as Stage[];
  const reached = names.map(
    (_, n) => all.filter((times) => names.slice(n).some((name) => times[name] !== null)).length,
  );
  return {
    group,
    stages: names.map((stage, n) => {
      const before = names[n - 1];
      const waits = all.flatMap((times) => {
        const [from, to] = [before ? times[before] : null, times[stage]];
        return from === null || to === null || to < from ? [] : [(to - from) * 60];
      });
      const count = reached[n] ?? 0;
      return {
        stage,
        count,
        stopped: count - (reached[n + 1] ?? 0),
        ofInvited: count / some.length,
        ofBefore: n === 0 ? 1 : reached[n - 1] ? count / (reached[n - 1] ?? 1) : null,
        medianSeconds: median(waits),
      };
    }),
    bounced: some.filter((one) => one.isInvitationFailed || one.isReminderFailed).length,
    optedOut: some.filter((one) => !one.isErased && ["email", "sms"].includes(one.stoppedBy)).length,
  };
}

const seed = Math.floor(Math.random() * 2 ** 31);
const histories = fc.sample(history, { numRuns: 10_000, seed });
beforeAll(() => store(histories), 120_000);

const since = new Date(begin + 50_000 * 60_000);
const filters: [string, FiguresFilter, (one: History) => boolean][] = [
  ["all", { since: null }, () => true],
  ["a batch", { since: null, batch: "spring" }, ({ batch }) => batch === "spring"],
  ["those since a day", { since }, ({ invited }) => invited >= 50_000],
];

describe.each(filters)(`of 10,000 random histories (seed ${seed}), the figures of %s`, (_, filter, isMeant) => {
  const meant = histories.filter(isMeant);

  test("equal a count by hand", async () => {
    expect(await readFigures(filter)).toEqual([bruteForce("", meant)]);
    reportFigure(
      77,
      `10,000 random histories: the figures of all, of each ${groupings.join(", ")} and of a filter equal a count by hand`,
    );
  });

  test.each(groupings)("by %s equal a count by hand too", async (by) => {
    const [whole, ...parts] = await readFigures({ ...filter, by });
    expect(whole).toEqual(bruteForce("", meant));
    const names = [...new Set(meant.map(groupOf[by]))].sort();
    expect(parts).toEqual(
      names.map((name) =>
        bruteForce(
          name,
          meant.filter((one) => groupOf[by](one) === name),
        ),
      ),
    );
  });
});

test("an empty group has no rates", async () => {
  const [whole] = await readFigures({ since: null, batch: "no such batch" });
  expect(whole?.stages[0]).toEqual({
    stage: "invited",
    count: 0,
    stopped: 0,
    ofInvited: null,
    ofBefore: null,
    medianSeconds: null,
  });
});

describe("the command", () => {
  const run = (...args: string[]) => callCommand("figures", args, { DATABASE_URL: operationsUrl });
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "figures-"));
  });
  let browser: Browser | undefined;
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test("prints a funnel and a line for each group, or JSON", async () => {
    const { out } = await run("--by", "source");
    expect(out).toMatch(/^Invited\t10000\t100\.0 %\t100\.0 %\t–\t\d+\n/);
    expect(out).toMatch(/\nBounced: \d+\. Opted out: \d+\.\n/);
    expect(
      out
        .split("\n")
        .slice(-4)
        .map((line) => line.split("\t")[0]),
    ).toEqual(["ba", "ia", "none", ""]);
    expect(JSON.parse((await run("--json", "--since", "2026-02-05")).out)).toHaveLength(1);
    expect(await run("--by", "colour")).toMatchObject({ code: 2 });
  });

  test("writes one page that runs no script and asks for nothing, with its charts as tables", async () => {
    const file = join(folder, "figures.html");
    expect(await run("--html", file)).toMatchObject({ code: 0, out: `Wrote ${file}.\n` });
    const page = readFileSync(file, "utf8");
    expect(page).not.toMatch(/<script|<link|<img|@import|url\((?!['"]?#)|\bsrc=|\bhref="(?!#)/i);
    browser = await chromium.launch(findBrowser());
    const tab = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await tab.goto(`file://${file}`);
    const drawn = await tab.locator("figure").allTextContents();
    expect(drawn[0]).toContain("Submitted");
    expect(drawn[0]).toContain("10000 (100.0 %)");
    expect(drawn[1]).toContain("2026-");
    await expect(tab.getByRole("table", { name: "Stages" }).getByRole("row").count()).resolves.toBe(10);
    expect(await tab.getByRole("table", { name: "Weeks" }).getByRole("row").count()).toBeGreaterThan(9);
    if (process.env.FIGURES_PICTURE) await tab.screenshot({ path: process.env.FIGURES_PICTURE, fullPage: true });
  });
});
