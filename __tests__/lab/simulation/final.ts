import { verify } from "@/__tests__/support/calls";
import { post } from "@/__tests__/support/post";
import type { MessageFact } from "./facts";
import { isDefinitelyRevoked, type Person } from "./model";
import { answerRequests, passTime, round } from "./worker-steps";
import type { World } from "./world";

const hour = 3_600_000;
const most = 10;
const open = ["waiting", "sending"];

/** Finishes every operation, sends all messages through providers that answer, and checks the outcome of each message. */
export async function finishWorld(world: World): Promise<void> {
  await finishOperations(world);
  await answerAll(world);
  await world.check();
  await sendAll(world);
  await world.check();
  await checkTokens(world);
  await checkEvents(world);
  const uncertain = await messagesOfSuspended(world);
  for (const message of world.facts.messages) checkEnd(world, message, uncertain);
  for (const person of world.model.persons) checkExpected(world, person);
}

async function finishOperations(world: World): Promise<void> {
  const { scheduler, providers } = world;
  for (let turns = 0; scheduler.underWay().length > 0; turns += 1) {
    const [held] = scheduler.operations.filter(({ state }) => state === "held");
    const [stalled] = providers.stalled();
    if (held) scheduler.release(held);
    else if (stalled) providers.answer(stalled, "answers");
    else if (turns > 200) world.fail(`Operations never end: ${scheduler.underWay().map(({ name }) => name)}.`);
    await scheduler.settle();
    await world.check();
  }
}

/** A request that a killed worker, a restart or a lock has left is answered in the end. */
async function answerAll(world: World): Promise<void> {
  await answerRequests(world, { worker: 0, hold: 0 });
  const { rowCount } = await world.environment.owner.query("SELECT FROM fresh_link_requests");
  if (rowCount !== 0) world.fail(`${rowCount} requests for fresh links are never answered.`);
}

async function sendAll(world: World): Promise<void> {
  for (let rounds = 0; ; rounds += 1) {
    const due = world.facts.messages.filter(({ state }) => open.includes(state));
    if (due.length === 0) return;
    if (rounds > 300) world.fail(`Never sent: ${due.map(({ kind, state, error }) => `${kind} ${state} ${error}`)}.`);
    const next = Math.min(...due.map(({ dueAt }) => dueAt));
    // A message that the daily cap holds back is due already, so a day has to pass.
    const isHeldBack = next <= world.now() && rounds % 2 === 1;
    await passTime(world, isHeldBack ? 25 * hour : Math.max(0, next - world.now()) + 2000);
    for (const channel of ["email", "sms", "webhook"] as const)
      await round(world, { worker: 0, channel, most, behaviour: "answers", hold: 0, holdAttempts: 0 });
    await world.check();
  }
}

/** Checks with real calls that revoked and expired tokens open nothing. */
async function checkTokens(world: World): Promise<void> {
  for (const person of world.model.persons) {
    for (const token of person.tokens) {
      if (!isDefinitelyRevoked(person, token, Number.POSITIVE_INFINITY) && world.now() < token.latestExpiry + hour)
        continue;
      const { status } = await post(verify, { token: token.token });
      if (status !== 401) world.fail(`A revoked or expired link of person ${person.number} returns ${status}.`);
    }
  }
}

/** Checks that each change of a link, and each erasure, has exactly its events. An erasure revokes links without events. */
async function checkEvents(world: World): Promise<void> {
  const { rows } = await world.environment.owner.query<{ reference: string; problem: string }>(`
    SELECT a.reference, found.problem FROM links l JOIN applications a ON a.id = l."applicationId"
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE kind IN ('link_issued', 'link_reissued')) AS issued,
        count(*) FILTER (WHERE kind = 'link_opened') AS opened, count(*) FILTER (WHERE kind = 'link_revoked') AS revoked
      FROM events e WHERE e."linkId" = l.id
    ) AS event ON true
    CROSS JOIN LATERAL (VALUES
      (issued <> 1, 'a link has ' || issued || ' events of its issue'),
      (opened <> (l."openedAt" IS NOT NULL)::int, 'a link was opened or not, and has ' || opened || ' events of it'),
      (revoked > 1 OR revoked <> (l."revokedAt" IS NOT NULL)::int
        AND NOT EXISTS (SELECT FROM events e WHERE e."applicationId" = a.id AND e.kind = 'erased' AND e.at = l."revokedAt"),
        'a link was revoked or not, and has ' || revoked || ' events of it')
    ) AS found ("isWrong", problem) WHERE found."isWrong"
    UNION ALL
    SELECT reference, 'it was erased or not, contrary to its events' FROM applications a
    WHERE (a."erasedAt" IS NOT NULL) <> EXISTS (SELECT FROM events e WHERE e."applicationId" = a.id AND e.kind = 'erased')`);
  const [found] = rows;
  if (found) world.fail(`${found.reference}: ${found.problem}.`);
}

/** Messages whose sender recorded within its lease that it would contact the provider, and was then suspended past it. */
async function messagesOfSuspended({ environment, sendings, lostAfterLease }: World): Promise<Set<string>> {
  const { rows } = await environment.owner.query<{ id: string; message: string; at: string; outcome: string }>(
    // An erasure empties the recipient and removes the time of the contact, so the time of the claim stands in for it.
    `SELECT t.id, t."messageId" AS message, extract(epoch FROM COALESCE(t."contactedAt", t.at)) * 1000 AS at, t.outcome
     FROM message_attempts t JOIN messages m ON m.id = t."messageId" WHERE t."contactedAt" IS NOT NULL OR m.recipient = ''`,
  );
  const leases = new Map([...sendings.values()].map(({ attempt, leaseEnds }) => [String(attempt), leaseEnds]));
  const suspended = rows.filter(
    ({ id, at, outcome }) =>
      Number(at) < (leases.get(id) ?? 0) && (outcome === "superseded" || lostAfterLease.has(BigInt(id))),
  );
  return new Set(suspended.map(({ message }) => message));
}

function checkEnd(world: World, message: MessageFact, uncertain: Set<string>): void {
  const { id, kind, state, error, channel } = message;
  const what = `${kind} ${message.detail} to ${message.recipient || channel}`;
  const contacts = world.providers.contacts.filter(({ message }) => message === id);
  if ((state === "sent" || state === "delivered") && !contacts.some(({ isTaken }) => isTaken))
    world.fail(`The message is ${state}, but no provider has taken it: ${what}.`);
  if (state === "unknown" && contacts.length === 0 && !uncertain.has(id))
    world.fail(`The message is unknown, but no provider was contacted: ${what} (${error}).`);
  if (state === "failed" && !contacts.some(({ behaviour, isTaken }) => behaviour !== "answers" || isTaken))
    world.fail(`The message failed, but no provider refused it: ${what} (${error}).`);
}

/** Checks that every acknowledged action has enqueued its messages. */
function checkExpected(world: World, person: Person): void {
  const messages = world.facts.messages.filter(({ application }) => application === person.application);
  const count = (kind: string, detail?: string) =>
    messages.filter((fact) => fact.kind === kind && (detail === undefined || fact.detail === detail)).length;
  const done = (kind: string) => person.actions.filter((action) => action.kind === kind && action.isCertain);
  if (person.sends && done("invite").length > 0 && count("invitation") === 0)
    world.fail(`Person ${person.number} was invited, but no invitation was enqueued.`);
  if (done("submit").length > 0 && (count("confirmation") === 0 || count("application.submitted") !== 1))
    world.fail(`Person ${person.number} submitted, but no confirmation or not exactly one webhook was enqueued.`);
  for (const action of done("status")) {
    const isErased = person.actions.some(({ kind, began }) => kind === "erase" && began < (action.ended ?? 0));
    if (action.isChange && !isErased && isInformational(world, person, action) && count("status", action.status) === 0)
      world.fail(`Person ${person.number} is not notified of the status ${action.status}.`);
  }
  checkLastReport(world, person);
}

/** Checks that the last status email that a provider took reports the application's current status. */
function checkLastReport(world: World, { number, application }: Person): void {
  const { facts, providers } = world;
  const row = facts.applications.find(({ id }) => id === application);
  if (!row || row.erasedAt !== null || row.submissions === 0) return;
  const emails = facts.messages.filter((fact) => fact.kind === "status" && fact.application === application);
  // One that was retried had failed before, even if a provider had taken it.
  const isNotReceived = ({ state, number, error }: MessageFact) =>
    state === "failed" ||
    state === "unknown" ||
    (state === "cancelled" && (world.retriedAt.has(number) || error === "by simulation"));
  if (emails.some(isNotReceived)) return;
  const taken = providers.contacts.filter(({ isTaken, message }) => isTaken && emails.some(({ id }) => id === message));
  const reported = emails.find(({ id }) => id === taken.at(-1)?.message)?.detail ?? "submitted";
  const status = row.status.replace("_", "-");
  if (reported !== status) world.fail(`Person ${number} was last sent ${reported}, but the status is ${status}.`);
}

/** Whether a status needs an email: a return to "submitted" needs none if no status email has gone out before. */
function isInformational(
  { facts, providers }: World,
  { application }: Person,
  { status, began }: Person["actions"][number],
): boolean {
  const emails = facts.messages.filter((fact) => fact.kind === "status" && fact.application === application);
  const wasNotified = providers.contacts.some(
    ({ isTaken, tick, message }) =>
      isTaken && tick < began && emails.some(({ id, state }) => id === message && state !== "failed"),
  );
  return status !== "submitted" || wasNotified;
}
