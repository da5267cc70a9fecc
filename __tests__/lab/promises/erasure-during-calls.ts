import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { dumpOf } from "@/__tests__/lab/promises/support/dump";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { openMailServer, sandbox } from "@/__tests__/lab/promises/support/sending";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { wholeApplication } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type CallResponse, call } from "@/__tests__/support/processes/call";
import { median, tally } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { runCommand } from "@/__tests__/support/run-command";
import { until } from "@/__tests__/support/until";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";

const endings = ["erasure", "revocation", "reissue"] as const;
const kinds = ["save", "submission", "message"] as const;
/** The number of trials of each kind, 1,000 in total. */
const countOf = { save: 334, submission: 333, message: 333 };
const oldDrafts = 60_000;
const sendLimitMs = 5 * 60_000;

interface Trial {
  ending: (typeof endings)[number];
  beside: (typeof kinds)[number];
  id: string;
  reference: string;
  token: string;
  /** A first name that occurs in no other application. */
  name: string;
  response?: CallResponse;
}

async function prepared(beside: Trial["beside"], index: number): Promise<Trial> {
  const name = `Meanwhile${beside}${index}X`;
  const values = { firstName: name, email: `${name}@landlord.example`, mobile: `614${String(index).padStart(8, "0")}` };
  const ending = endings[index % endings.length] ?? "erasure";
  return { ending, beside, name, ...(await invited(values)) };
}

async function end({ sql }: World, { ending, id, reference }: Trial): Promise<void> {
  if (ending === "erasure") await sql("SELECT erase_applications(ARRAY[$1::uuid], 'Vera')", [id]);
  else if (ending === "revocation") await revokeLinks(reference, "Vera");
  else await reissueLink(reference, { expiresDays: 30, by: "Vera" });
}

/** The milliseconds of earlier calls, the last one last. Before there are any, a guess. */
const callTimes = [20];

async function callBeside({ app }: World, trial: Trial): Promise<void> {
  const { token, name, beside } = trial;
  const data = { ...wholeApplication, firstName: name, email: `${name}@landlord.example` };
  trial.response = await call(app, beside === "save" ? "submit-step-1" : "submit", { token, data });
  callTimes.push(trial.response.milliseconds);
}

/** Enqueues a message per trial. Applies the trial's ending at a random moment in the second after a worker claims it. */
async function endWhatIsSent(world: World, trials: Trial[]): Promise<void> {
  const { sql } = world;
  await sql(
    `INSERT INTO messages ("applicationId", kind, channel, recipient)
     SELECT id, 'invitation', 'email', "invitedEmail" FROM applications WHERE id = ANY ($1)`,
    [trials.map(({ id }) => id)],
  );
  const pending = new Map(trials.map((trial) => [trial.id, trial]));
  const ended: Promise<void>[] = [];
  const find = `SELECT "applicationId" AS id FROM messages WHERE state <> 'waiting' AND "applicationId" = ANY ($1)`;
  await until(async () => {
    for (const { id } of await sql<{ id: string }>(find, [[...pending.keys()]])) {
      const trial = pending.get(id);
      pending.delete(id);
      if (trial) ended.push(sleep(randomInt(1000)).then(() => end(world, trial)));
    }
    return pending.size === 0;
  }, sendLimitMs);
  await Promise.all(ended);
  const unsent = `SELECT FROM messages WHERE state IN ('waiting', 'sending') AND "applicationId" = ANY ($1)`;
  await until(async () => (await sql(unsent, [trials.map(({ id }) => id)])).length === 0, sendLimitMs);
}

const stateOf = `
  SELECT a.status, c.answers IS NOT NULL AS "hasAnswers",
    (SELECT count(*)::int FROM consent_records WHERE "applicationId" = a.id) AS records,
    (SELECT count(*)::int FROM links WHERE "applicationId" = a.id AND "revokedAt" IS NULL AND "expiresAt" > now()) AS live,
    (SELECT max(id) FROM events WHERE "applicationId" = a.id AND kind::text IN ('submitted', 'step_saved')) >
      (SELECT max(id) FROM events WHERE "applicationId" = a.id AND kind::text IN ('erased', 'link_revoked')) AS "wroteAfterwards"
  FROM applications a LEFT JOIN consent_records c ON c."applicationId" = a.id WHERE a.id = $1`;

async function check({ app, sql }: World, trial: Trial, dump: string): Promise<void> {
  const { ending, beside, id, name, response, token } = trial;
  const what = `${ending} beside a ${beside}`;
  const [state] = await sql(stateOf, [id]);
  expect(state, `${what}: the application is gone`);
  const isSubmitted = beside === "submission" && response?.status === 200;
  expect(response === undefined || [200, 401].includes(response.status), `${what}: status ${response?.status}`);
  same(state.status, isSubmitted ? "submitted" : "draft", `${what}: status of the application`);
  same(state.records, isSubmitted ? 1 : 0, `${what}: consent records`);
  same(state.wroteAfterwards ?? false, false, `${what}: written after its link had ended`);
  if (ending === "erasure") {
    same(dump.includes(name), false, `${what}: values in the dump`);
    same(state.hasAnswers, false, `${what}: answers in the consent record`);
  }
  if (ending === "reissue") expect(state.live >= 1, `${what}: no link works`);
  else same(state.live, 0, `${what}: links that work`);
  const { status } = await call(app, "verify-token", { token }, { "x-forwarded-for": "10.65.0.1" });
  same(status, 401, `${what}: the old link`);
}

promise(65, async (world) => {
  const server = await openMailServer(world);
  // On a busy machine a call may take long. What it leaves behind is checked here, not its time.
  const slow = { DATABASE_TIMEOUT_MS: "15000" };
  const settings = { SMTP_URL: server.url, RATE_LIMIT_FACTOR: "1000", ...sandbox, ...slow };
  const sending = await runConcurrently(3, 1, () => world.start({ settings }));
  const sendingWorld: World = { ...world, app: sending[0] ?? world.app };
  const trials: Trial[] = [];
  for (const beside of kinds)
    for (let index = 0; index < countOf[beside]; index += 1) trials.push(await prepared(beside, index));
  const withCalls = trials.filter(({ beside }) => beside !== "message");
  await runConcurrently(withCalls.length, 10, async (n) => {
    const trial = withCalls[n] as Trial;
    // Up to twice the time of a call, so that about half of the endings come before the call and half after it.
    const delay = Math.random() * 2 * median(callTimes.slice(-50));
    await Promise.all([sleep(delay).then(() => end(sendingWorld, trial)), callBeside(sendingWorld, trial)]);
  });
  const withMessages = trials.filter(({ beside }) => beside === "message");
  await endWhatIsSent(sendingWorld, withMessages);
  const dump = JSON.stringify(await dumpOf(world.database));
  for (const trial of trials) await check(sendingWorld, trial, dump);
  await Promise.all(sending.map((app) => app.end("SIGTERM")));
  const statuses = tally(withCalls.map(({ response }) => String(response?.status)).sort());
  const before = withCalls.filter(({ response }) => response?.status === 200).length / withCalls.length;
  expect(before >= 0.1 && before <= 0.9, `calls before the ending of their link: too few or too many (${statuses})`);
  const recipients = new Set(server.envelopes.flat());
  const sent = withMessages.filter(({ name }) => recipients.has(`${name}@landlord.example`)).length;
  const retention = await erasedInBatches(world);
  return `1,000 erasures, revocations and reissues at random moments (calls beside them ${statuses}, ${sent} of ${countOf.message} messages sent): 0 personal values, 0 working links, 0 consent records that should not be; ${retention}`;
});

async function erasedInBatches({ users, sql }: World): Promise<string> {
  await sql(
    `INSERT INTO applications (reference, "firstName", "updatedAt")
     SELECT 'OLD-' || n, 'Meanwhile', now() - interval '30 months' FROM generate_series(1, $1) AS n`,
    [oldDrafts],
  );
  const begun = performance.now();
  const env = { OPERATIONS_DATABASE_URL: users.operations };
  const { code, err } = await runCommand("retention", ["--months", "24"], env);
  same(code, 0, err);
  const [left] = await sql(
    `SELECT count(*) FILTER (WHERE "firstName" <> '')::int AS left, count(DISTINCT "erasedAt")::int AS batches
     FROM applications WHERE reference LIKE 'OLD-%'`,
  );
  same(left?.left, 0, "old drafts that are not erased");
  return `${oldDrafts.toLocaleString("en")} old drafts erased in ${left?.batches} batches, ${Math.round((performance.now() - begun) / 1000)} s`;
}
