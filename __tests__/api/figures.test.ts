import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import fc from "fast-check";
import { findBrowser } from "@/__tests__/support/browser";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { refused } from "@/__tests__/support/run-command";
import { reportFigure, size } from "@/__tests__/support/size";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { until } from "@/__tests__/support/until";
import { writeCents } from "@/lib/domain/money";
import { eraseApplication } from "@/lib/server/applications/erase";
import { readFiguresQuery } from "@/lib/server/desk/figures";
import { type FiguresFilter, type GroupBy, groupings, readFigures, type Stage } from "@/lib/server/figures/figures";
import { addressHash, mailSystem } from "@/lib/server/outbox/reachability";

const { sql, insertRows, blockedBy, operationsUrl } = freshDatabase();

/** The history of an application: minutes since startTime, or null for what did not happen. */
const minute = fc.integer({ min: 0, max: 100_000 });
const optionalMinute = fc.option(minute);
const device = fc.constantFrom(null, "phone", "tablet", "computer");
const decisionStatuses = ["in_review", "approved", "declined", "withdrawn", "paid"] as const;
const historyArbitrary = fc.record({
  id: fc.uuid({ version: 4 }),
  invited: minute,
  sent: optionalMinute,
  openings: fc.uniqueArray(minute, { maxLength: 2 }),
  devices: fc.tuple(device, device),
  saved: fc.tuple(optionalMinute, optionalMinute, optionalMinute),
  submitted: optionalMinute,
  decisions: fc.array(fc.record({ status: fc.constantFrom(...decisionStatuses), at: minute }), { maxLength: 3 }),
  cents: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
  isInvitationFailed: fc.boolean(),
  isReminderFailed: fc.boolean(),
  suppressedBy: fc.constantFrom("email", "sms", "bounce", "nothing"),
  isErased: fc.boolean(),
  source: fc.constantFrom("ba", "ia", ""),
  batch: fc.constantFrom("", "spring", "autumn"),
});
type History = typeof historyArbitrary extends fc.Arbitrary<infer T> ? T : never;

const startTime = Date.parse("2026-01-01T00:00:00Z");
const at = (minutes: number) => new Date(startTime + minutes * 60_000).toISOString();
const ordered = (times: number[]) => times.toSorted((a, b) => a - b);

/** The decisions on a submitted application, oldest first. The last one counts. */
const decisionsOf = ({ submitted, decisions }: History) =>
  submitted === null ? [] : decisions.toSorted((a, b) => a.at - b.at);

async function store(histories: History[]): Promise<void> {
  const indexed = histories.map((history, index) => ({ ...history, index }));
  await insertRows(
    "applications",
    indexed.map((history) => {
      const column = (n: number) => (history.isErased || history.saved[n] === null ? null : at(history.saved[n] ?? 0));
      return {
        id: history.id,
        reference: `R${history.index}`,
        source: history.source,
        batch: history.batch,
        status: history.submitted === null ? "draft" : (decisionsOf(history).at(-1)?.status ?? "submitted"),
        createdAt: at(history.invited),
        updatedAt: at(history.invited),
        erasedAt: history.isErased ? at(200_000) : null,
        landlordSavedAt: column(0),
        agentSavedAt: column(1),
        leaseSavedAt: column(2),
        loanAmount: history.cents === null ? null : history.cents / 100,
        submittedAt: history.submitted === null ? null : at(history.submitted),
        invitedEmail: history.isErased ? "" : `Ada${history.index}@mail.example`,
        invitedMobile: history.isErased ? "" : `614${history.index}`,
      };
    }),
  );
  await insertRows(
    "events",
    indexed.flatMap((row) => [
      ...row.saved.flatMap((time, n) => (time === null ? [] : [event(row.id, "step_saved", `step ${n + 1}`, time)])),
      ...decisionsOf(row).map((decision) => event(row.id, "status_changed", decision.status, decision.at)),
    ]),
  );
  await insertRows(
    "links",
    indexed.flatMap(({ id: applicationId, openings, devices }) => [
      ...openings.map((time, n) => ({ applicationId, expiresAt: at(1), openedAt: at(time), device: devices[n] })),
      { applicationId, expiresAt: at(1) },
    ]),
  );
  await insertRows(
    "messages",
    indexed.flatMap((row) => [
      email(row.id, "invitation", row.isInvitationFailed, row.sent),
      email(row.id, "reminder", row.isReminderFailed, 0),
    ]),
  );
  await insertRows(
    "suppressions",
    indexed.flatMap(({ suppressedBy, index }) => {
      if (suppressedBy === "nothing") return [];
      const channel = suppressedBy === "sms" ? "sms" : "email";
      const hash = addressHash(channel, channel === "sms" ? `614${index}` : `ada${index}@mail.example`);
      return [{ channel, addressHash: hash, by: suppressedBy === "bounce" ? mailSystem : "" }];
    }),
  );
}

function event(applicationId: string, kind: string, detail: string, time: number) {
  return { applicationId, kind, detail, at: at(time) };
}

function email(applicationId: string, kind: string, isFailed: boolean, sent: number | null) {
  const state = isFailed ? "failed" : "sent";
  return { applicationId, kind, channel: "email", state, sentAt: sent === null ? null : at(sent) };
}

/** When each stage was reached, computed from the history without SQL. */
function timesOf(history: History): Record<Stage, number | null> {
  const [step1, step2, step3] = history.saved;
  const last = decisionsOf(history).findLast(({ status }) => status !== "withdrawn" && status !== "paid");
  return {
    invited: history.invited,
    sent: history.sent,
    opened: ordered(history.openings)[0] ?? null,
    step1,
    step2,
    step3,
    reviewed: step1 === null || step2 === null || step3 === null ? null : Math.max(step1, step2, step3),
    submitted: history.submitted,
    decided: last && last.status !== "in_review" ? last.at : null,
  };
}

const groupOf: Record<GroupBy, (history: History) => string> = {
  source: ({ source }) => source || "none",
  batch: ({ batch }) => batch || "none",
  week: ({ invited }) => mondayInSydney(startTime + invited * 60_000),
  device({ openings, devices }) {
    const opened = openings.map((time, n) => ({ time, device: devices[n] })).filter((entry) => entry.device);
    return opened.toSorted((a, b) => a.time - b.time)[0]?.device ?? "unknown";
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

const statusesOfAmount: Record<string, string[]> = {
  asked: [],
  "in-review": ["in_review"],
  approved: ["approved", "paid"],
  declined: ["declined"],
  withdrawn: ["withdrawn"],
  paid: ["paid"],
};

function bruteForce(group: string, members: History[]) {
  const all = members.map(timesOf);
  const names = Object.keys(all[0] ?? timesOf(members[0] as History)) as Stage[];
  const reached = names.map(
    (_, n) => all.filter((times) => names.slice(n).some((name) => times[name] !== null)).length,
  );
  return {
    group,
    stages: names.map((stage, n) => {
      const previous = names[n - 1];
      const waits = all.flatMap((times) => {
        const [from, to] = [previous ? times[previous] : null, times[stage]];
        return from === null || to === null || to < from ? [] : [(to - from) * 60];
      });
      const count = reached[n] ?? 0;
      return {
        stage,
        count,
        stopped: count - (reached[n + 1] ?? 0),
        ofInvited: count / members.length,
        ofBefore: n === 0 ? 1 : reached[n - 1] ? count / (reached[n - 1] ?? 1) : null,
        medianSeconds: median(waits),
      };
    }),
    amounts: Object.entries(statusesOfAmount).map(([name, statuses]) => {
      const cents = members.flatMap((history) => {
        const status = decisionsOf(history).at(-1)?.status ?? "submitted";
        const isPart = history.submitted !== null && (name === "asked" || statuses.includes(status));
        return isPart && history.cents !== null ? [history.cents] : [];
      });
      const half = median(cents);
      const total = writeCents(cents.reduce((sum, amount) => sum + amount, 0));
      return { name, count: cents.length, total, median: half === null ? null : writeCents(Math.round(half)) };
    }),
    bounced: members.filter((history) => history.isInvitationFailed || history.isReminderFailed).length,
    optedOut: members.filter((history) => !history.isErased && ["email", "sms"].includes(history.suppressedBy)).length,
  };
}

const seed = Math.floor(Math.random() * 2 ** 31);
const count = size(500, 10_000);
const histories = fc.sample(historyArbitrary, { numRuns: count, seed });
beforeAll(() => store(histories), 120_000);

const since = new Date(startTime + 50_000 * 60_000);
const filters: [string, FiguresFilter, (history: History) => boolean][] = [
  ["all", { since: null }, () => true],
  ["a batch", { since: null, batch: "spring" }, ({ batch }) => batch === "spring"],
  ["those since a day", { since }, ({ invited }) => invited >= 50_000],
];

describe.each(filters)(`the figures of %s in random histories (seed ${seed})`, (_, filter, matches) => {
  const matching = histories.filter(matches);

  test("the figures equal a count by hand", async () => {
    expect(await readFigures(filter)).toEqual([bruteForce("", matching)]);
    reportFigure(
      77,
      `${count.toLocaleString("en")} random histories: the figures of all, of each ${groupings.join(", ")} and of a filter equal a count by hand`,
    );
  });

  test.each(groupings)("the figures by %s equal a count by hand", async (by) => {
    const [whole, ...parts] = await readFigures({ ...filter, by });
    expect(whole).toEqual(bruteForce("", matching));
    const names = [...new Set(matching.map(groupOf[by]))].sort();
    const members = (name: string) => matching.filter((history) => groupOf[by](history) === name);
    expect(parts).toEqual(names.map((name) => bruteForce(name, members(name))));
  });
});

test.each(["0000-01-01", "0001-01-01", "2026-13-01", "yesterday"])(
  "figures since %s are those of everybody",
  (since) => {
    expect(readFiguresQuery({ since, batch: "spring\0" })).toEqual({ since: "", batch: "spring" });
  },
);

test("an empty group has no rates", async () => {
  const [whole] = await readFigures({ since: null, batch: "no such batch" });
  const noRates = { ofInvited: null, ofBefore: null, medianSeconds: null };
  expect(whole?.stages[0]).toEqual({ stage: "invited", count: 0, stopped: 0, ...noRates });
});

const run = (...args: string[]) => callCommand("figures", args, { DATABASE_URL: operationsUrl });

describe("the command", () => {
  const folder = temporaryFolder();
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  test("the command says that there is no batch of a name", async () => {
    expect(await run("--batch", "sprong")).toEqual(refused("There is no batch 'sprong'.\n"));
  });

  test("the command prints a funnel and a line for each group, or JSON", async () => {
    const { out } = await run("--by", "source");
    expect(out).toMatch(new RegExp(`^stage\t.*\nInvited\t${count}\t100\\.0%\t100\\.0%\t–\t\\d+\n`));
    expect(out).toMatch(/\nBounced: \d+\. Opted out: \d+\.\n/);
    expect(out).toMatch(/\nAsked for\t\d+\t\$[\d,.]+\t\$[\d,.]+\n(.+\n)?Approved\t.+\nDeclined\t/);
    expect(out).toMatch(/\nba\t.*\nia\t.*\nnone\t.*\n(.*\n)*ba\t(\$.+\t\$.+){3}\n/);
    expect(JSON.parse((await run("--json", "--since", "2026-02-05")).out)).toHaveLength(1);
    expect(await run("--by", "colour")).toMatchObject({ code: 2 });
  });

  test.each([["--by", "week"], ["--json"]])(
    "the command refuses %s beside --html, which would ignore it",
    async (flag, ...value) => {
      const err = expect.stringMatching(new RegExp(`\n${flag} cannot be used with --html\\.\n$`));
      expect(await run("--html", join(folder, "ignored.html"), flag, ...value)).toEqual(refused(err, 2));
      expect(existsSync(join(folder, "ignored.html"))).toBe(false);
    },
  );

  test("the command writes one page without scripts or requests, which repeats its charts as whole tables, also on paper", async () => {
    const file = join(folder, "figures.html");
    expect(await run("--html", file)).toMatchObject({ code: 0, out: `Wrote ${file}.\n` });
    expect(await run("--html", file)).toMatchObject({ code: 1, err: expect.stringContaining("--force was not given") });
    expect(await run("--html", file, "--force")).toMatchObject({ code: 0 });
    const page = readFileSync(file, "utf8");
    expect(page).not.toMatch(/<script|<link|<img|@import|url\((?!['"]?#)|\bsrc=|\bhref="(?!#)/i);
    browser = await chromium.launch(findBrowser());
    const tab = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await tab.goto(`file://${file}`);
    const drawn = await tab.locator("figure").allTextContents();
    expect(drawn[0]).toContain("Submitted");
    expect(drawn[0]).toContain(`${count.toLocaleString("en")} (100.0%)`);
    expect(drawn[1]).toContain("2026-");
    await expect(tab.getByRole("table", { name: "Stages" }).getByRole("row").count()).resolves.toBe(10);
    expect(await tab.getByRole("table", { name: "Weeks" }).getByRole("row").count()).toBeGreaterThan(9);
    const hidden = () =>
      tab.getByRole("table").evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(await hidden()).toEqual([0, 0, 0, 0]);
    // The width of A4 without its margins.
    await tab.setViewportSize({ width: 718, height: 1000 });
    await tab.emulateMedia({ media: "print" });
    expect(await hidden()).toEqual([0, 0, 0, 0]);
    if (process.env.FIGURES_PICTURE) await tab.screenshot({ path: process.env.FIGURES_PICTURE, fullPage: true });
  });
});

describe("stored figures", () => {
  /** Runs the command while counting has to wait, for longer than a second. */
  function runWhileCountingWaits(...args: string[]) {
    const lock = "LOCK TABLE suppressions IN ACCESS EXCLUSIVE MODE";
    return blockedBy(
      lock,
      [],
      () => run(...args),
      () => sleep(1300),
    );
  }
  const countOf = (out: string) => JSON.parse(out)[0].stages[0].count;
  let before: { out: string };
  beforeAll(async () => {
    expect(await run("--store")).toMatchObject({ code: 0, out: "Stored the figures of all applications.\n" });
    before = await run("--by", "source");
    await invited({}, { batch: "late" });
  });

  test("stored figures are shown with their time once counting takes longer than a second", async () => {
    const { code, out, err } = await runWhileCountingWaits("--by", "source");
    expect({ code, out }).toEqual({ code: 0, out: before.out });
    expect(err).toMatch(
      /^Counted at 20\d\d-\d\d-\d\d \d\d:\d\d AE[DS]T\. To count again: npm run figures -- --store\n$/,
    );
    const { out: json } = await runWhileCountingWaits("--json");
    expect(JSON.parse(json)).toHaveLength(1);
    expect(countOf(json)).toBe(count);
  });

  test("stored figures are not shown if counting is fast, if a batch is named, or if they are more than a day old", async () => {
    // On a busy machine, counting may take longer than a second.
    await until(async () => countOf((await run("--json")).out) === count + 1);
    expect(countOf((await runWhileCountingWaits("--json", "--batch", "late")).out)).toBe(1);
    await sql(`UPDATE stored_figures SET "countedAt" = now() - interval '26 hours'`);
    expect(countOf((await runWhileCountingWaits("--json")).out)).toBe(count + 1);
  });

  test("stored figures are replaced by the next run; --store takes no other flag", async () => {
    await run("--store");
    expect(countOf((await runWhileCountingWaits("--json")).out)).toBe(count + 1);
    expect(await run("--store", "--json")).toMatchObject({ code: 2, err: expect.stringMatching(/\n--json cannot be/) });
  });

  test.each([
    ["with them, later ones that another run stores meanwhile stay", true],
    ["without any yet, later ones that another run stores meanwhile stay", false],
  ])("%s", async (_, areThere) => {
    await run("--store");
    if (!areThere) await sql("DELETE FROM stored_figures");
    const lock = "LOCK TABLE stored_figures IN EXCLUSIVE MODE";
    const storeLater = () =>
      sql(`INSERT INTO stored_figures (grouping, figures, "countedAt") VALUES ('week', '[]', now() + interval '1 hour')
        ON CONFLICT (grouping) DO UPDATE SET figures = excluded.figures, "countedAt" = excluded."countedAt"`);
    expect(await blockedBy(lock, [], () => run("--store"), storeLater)).toMatchObject({ code: 0, err: "" });
    expect(await sql("SELECT figures FROM stored_figures WHERE grouping = 'week'")).toEqual([{ figures: [] }]);
    expect(await sql("SELECT FROM stored_figures")).toHaveLength(groupings.length);
  });
});

test("the steps that a person saved count after an erasure as before", async () => {
  const { token, reference } = await invited({}, { batch: "erased" });
  await fillIn(token);
  const countsOf = async () =>
    (await readFigures({ since: null, batch: "erased" }))[0]?.stages.map(({ count }) => count);
  const before = await countsOf();
  expect(before).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]);
  await eraseApplication(reference, "Ines");
  expect(await countsOf()).toEqual(before);
});
