import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { ownMailServer } from "@/__tests__/support/providers";
import { realTimers } from "@/__tests__/support/real-timers";
import { claim, claimOne, deliver } from "@/__tests__/support/sending";
import { emails, everyValue } from "@/__tests__/support/template-data";
import { until } from "@/__tests__/support/until";
import { withSettings } from "@/__tests__/support/with-settings";
import { defaultBrand } from "@/lib/brand";
import { timeInWords } from "@/lib/domain/zone-time";
import { close, createDatabase, prisma } from "@/lib/server/db/client";
import { deliver as deliverOn } from "@/lib/server/delivery/deliver";
import { enqueueWeeklyFigures, startWorker } from "@/lib/server/delivery/worker";
import { funnelRows } from "@/lib/server/figures/figure-words";
import { readFigures } from "@/lib/server/figures/figures";
import { storeFigures } from "@/lib/server/figures/stored-figures";
import { currentSettings } from "@/lib/server/settings";
import { figuresPage } from "@/lib/server/templates/figures-page";

const { sql, appUrl, operationsUrl, whileLocked } = freshDatabase();

const mail = ownMailServer({ FIGURES_EMAIL: "boss@lender.example", BRAND_TIME_ZONE: "Australia/Sydney" });
beforeEach(async () => {
  await sql("DELETE FROM message_attempts; DELETE FROM messages");
  mail.raw.length = 0;
});

const enqueueAt = (time: string) => enqueueWeeklyFigures(prisma(), new Date(time));
const written = () => sql("SELECT recipient FROM messages WHERE kind = 'weekly-figures'");

// In Sydney, Monday 23 November 2026 begins at 13:00 UTC on Sunday.
test.each([
  ["on Sunday at noon", "2026-11-22T01:00:00Z", 0],
  ["on Monday at 6:59", "2026-11-22T19:59:00Z", 0],
  ["on Monday at 7:00", "2026-11-22T20:00:00Z", 1],
  ["on Monday at 23:59", "2026-11-23T12:59:00Z", 1],
  ["on Tuesday at 0:00", "2026-11-23T13:00:00Z", 0],
])("%s in the lender's zone (%s), %i emails are enqueued", async (_, time, count) => {
  await enqueueAt(time);
  expect(await written()).toHaveLength(count);
});

test("figures that take longer than the worker waits fail the email once, instead of being read again every minute", async () => {
  await enqueueAt("2026-11-22T20:00:00Z");
  // Long enough for the statements that are not locked out, also on a busy machine.
  const database = createDatabase({ url: appUrl, max: 2, timeoutMs: 3_000, isPooled: false });
  const send = async () => deliverOn(database.prisma, await claimOne());
  const { outcome } = await whileLocked("LOCK TABLE suppressions IN ACCESS EXCLUSIVE MODE", [], send);
  await close(database);
  expect(outcome).toEqual({ state: "failed", error: "the figures take too long" });
  expect(await sql("SELECT state, error FROM messages")).toEqual([outcome]);
});

test("one email is sent each Monday, however many workers run and however often they check", async () => {
  await Promise.all(Array.from({ length: 10 }, () => enqueueAt("2026-11-22T20:00:00Z")));
  await enqueueAt("2026-11-22T23:00:00Z");
  expect(await written()).toEqual([{ recipient: "boss@lender.example" }]);
  await enqueueAt("2026-11-29T20:00:00Z");
  expect(await written()).toHaveLength(2);
});

test("the email has the figures of the moment it is sent, once from two workers, as a table and as a page with charts", async () => {
  await enqueueAt("2026-11-22T20:00:00Z");
  await invited();
  await invited();
  const claimed = await Promise.all([claim("email", 10), claim("email", 10)]);
  for (const message of claimed.flat()) await deliver(message);
  expect(mail.raw).toHaveLength(1);
  expect(mail.envelopes.at(-1)).toEqual(["boss@lender.example"]);
  const { text = "", html, attachments } = await mail.read();
  const [figures] = await readFigures({ since: null });
  expect(figures?.stages[0]?.count).toBe(2);
  const lines = text.split("\n").map((line) => line.trim().split(/ {2,}/));
  for (const row of figures ? funnelRows(figures) : []) {
    expect(lines).toContainEqual(row);
    expect(html).toContain(`>${row[0]}</th>`);
  }
  expect(text).toContain("Bounced: 0. Opted out: 0.");
  expect(attachments).toMatchObject([{ filename: "figures.html", mimeType: "text/html" }]);
  const page = new TextDecoder().decode(attachments[0]?.content as ArrayBuffer);
  expect(page.match(/<svg/g)).toHaveLength(2);
  expect(page).toContain("2 (100.0%)");
  expect(page).toMatch(/<caption>Weeks<\/caption>[\s\S]+<th scope="row">20\d\d-\d\d-\d\d<\/th><td>2<\/td>/);
});

test("the chart by week shows a week without invitations, between others, as 0", async () => {
  for (const date of ["2025-03-04", "2025-03-18"]) {
    const { id } = await invited();
    await sql(`UPDATE applications SET "createdAt" = $1, batch = 'gap' WHERE id = $2`, [date, id]);
  }
  const figures = await readFigures({ batch: "gap", since: null, by: "week" });
  const page = figuresPage({ figures, countedAt: new Date() });
  const [, chart = ""] = page.split("By week of invitation");
  expect(chart.match(/2025-\d\d-\d\d(?=<\/text>)/g)).toEqual(["2025-03-03", "2025-03-10", "2025-03-17"]);
});

test("the email has the figures that were stored last night, if there are any", async () => {
  await storeFigures(operationsUrl);
  await invited();
  await enqueueAt("2026-11-22T20:00:00Z");
  await deliver(await claimOne());
  const byWeek = "FROM stored_figures WHERE grouping = 'week'";
  const [stored] = await sql(`SELECT "countedAt", figures #>> '{0,stages,0,count}' AS count ${byWeek}`);
  const { text = "" } = await mail.read();
  expect(text).toContain(`These figures are from ${timeInWords(stored?.countedAt, currentSettings().brand)}`);
  expect(text).toMatch(new RegExp(`^Invited +${stored?.count} `, "m"));
  await sql("DELETE FROM stored_figures");
});

test("two workers that run on a Monday send one email", async () => {
  jest.useFakeTimers({ now: Date.parse("2026-11-23T01:00:00Z"), doNotFake: realTimers });
  const workers = [1, 2].map(() => startWorker(appUrl, { spacingMs: 0 }));
  await until(() => mail.raw.length > 0);
  // Long enough for each worker to look for messages again.
  await sleep(1500);
  await Promise.all(workers.map((worker) => worker.stop()));
  jest.useRealTimers();
  expect(mail.raw).toHaveLength(1);
  expect(await sql("SELECT state FROM messages WHERE kind = 'weekly-figures'")).toEqual([{ state: "sent" }]);
});

test("the columns of the plain text are aligned", () => {
  const { text = "" } = emails["weekly-figures"]?.render(everyValue, defaultBrand) ?? {};
  const lines = text.split("\n").filter((line) => /^(Stage|Invited|Submitted) /.test(line));
  expect(lines).toHaveLength(3);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});

test("without FIGURES_EMAIL no email is sent", async () => {
  await withSettings({ FIGURES_EMAIL: undefined }, () => enqueueAt("2026-11-22T20:00:00Z"));
  expect(await written()).toEqual([]);
});
