import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { type Receiver, startReceiver, type Taken } from "@/__tests__/support/receiver";
import { runCommand } from "@/__tests__/support/run-command";
import { signatures } from "@/lib/server/messages/webhooks/send-webhook";
import { expect, same } from "./support/expect";
import type { Promised, World } from "./support/world";

const many = 10_000;
const applications = 20;
const hour = 3600;
const down = 72 * hour;
const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" };

const newSecret = () => `whsec_${randomBytes(randomInt(24, 65)).toString("base64")}`;

type Headers = Record<string, string>;
interface Signed {
  secret: string;
  headers: Headers;
  body: string;
}

/** As it is sent, with one secret or with two. The receiver knows the last. */
function signed(): Signed {
  const secrets = [newSecret(), newSecret()].slice(randomInt(2));
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000) - randomInt(240));
  const body = JSON.stringify({
    type: "link.opened",
    data: { reference: randomBytes(randomInt(200)).toString("latin1") },
  });
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp };
  const signature = signatures(secrets, { id, timestamp, body });
  return { secret: secrets.at(-1) ?? "", headers: { ...headers, "webhook-signature": signature }, body };
}

function isVerified({ secret, headers, body }: Signed): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const other = (character: string) => (character === "a" ? "b" : "a");
/** One character of the base64, but not the last before the padding, of which some bits mean nothing. */
const changed = (text: string, at = randomInt(text.length)) =>
  text.slice(0, at) + other(text[at] ?? "") + text.slice(at + 1);

const tamperings: ((one: Signed) => Signed)[] = [
  (one) => ({ ...one, body: changed(one.body) }),
  (one) => ({ ...one, body: `${one.body} ` }),
  (one) => ({ ...one, secret: newSecret() }),
  (one) => withHeader(one, "webhook-id", changed(one.headers["webhook-id"] ?? "")),
  (one) => withHeader(one, "webhook-timestamp", String(Number(one.headers["webhook-timestamp"]) + 1)),
  (one) => withHeader(one, "webhook-timestamp", String(Number(one.headers["webhook-timestamp"]) - hour)),
  (one) => withHeader(one, "webhook-signature", signaturesChanged(one.headers["webhook-signature"] ?? "")),
  (one) => withHeader(one, "webhook-signature", ""),
];

function withHeader(one: Signed, name: string, value: string): Signed {
  return { ...one, headers: { ...one.headers, [name]: value } };
}

function signaturesChanged(header: string): string {
  return header
    .split(" ")
    .map((one) => changed(one, 3 + randomInt(40)))
    .join(" ");
}

/** Resolves when every attempt that is due is over; with the seconds until the last of those that are to come. */
async function untilNextAttempts({ sql }: World): Promise<number> {
  for (;;) {
    const [row] = await sql<{ busy: number; wait: number | null }>(`
      SELECT count(*) FILTER (WHERE state = 'sending' OR "dueAt" <= now())::int AS busy,
        extract(epoch FROM max("dueAt") - now())::float AS wait
      FROM messages WHERE channel = 'webhook' AND state IN ('waiting', 'sending')`);
    if (row?.busy === 0) return row.wait ?? 0;
    await sleep(100);
  }
}

/** Instead of waiting. */
async function makeDue({ sql }: World): Promise<void> {
  await sql(`UPDATE messages SET "dueAt" = now() WHERE channel = 'webhook' AND state = 'waiting' AND "dueAt" > now()`);
}

interface Event {
  type: string;
  timestamp: string;
  data: { reference: string; status: string; sequence: number };
}

const told = ({ body }: Taken): Event => JSON.parse(body);
const inOrder = (one: Event, next: Event) =>
  Date.parse(one.timestamp) - Date.parse(next.timestamp) || one.data.sequence - next.data.sequence;
const line = ({ type, data }: Event) => `${type} ${data.reference} ${data.status}`;

async function happen(world: World, receiver: Receiver, secret: string): Promise<string> {
  const own = { ...settings, WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret };
  const app = await world.start({ settings: own });
  const references: string[] = [];
  let away = 0;
  let attempts = 0;
  receiver.answerWith((response) => response.writeHead(503).end());
  for (let one = 0; one < applications; one += 1) {
    const { token, reference } = await invited();
    references.push(reference);
    await fillIn(app, token);
    await call(app, "submit-final", { token, data: consent });
  }
  let refused: Taken[] = [];
  while (away < down) {
    away += await untilNextAttempts(world);
    attempts += 1;
    if (away >= down) {
      refused = receiver.taken.splice(0);
      receiver.answerWith((response) => response.writeHead(204).end());
    }
    await makeDue(world);
    const reference = references[attempts];
    if (reference)
      await runCommand("status", [reference, "in-review"], { DATABASE_URL: world.users.operations, ...own });
  }
  await untilSent(world);
  await app.end("SIGTERM");
  const ids = new Set(refused.map(({ headers }) => headers["webhook-id"]));
  for (const { headers, body } of receiver.taken)
    expect(isVerified({ secret, headers: headers as Headers, body }), "a webhook was not verified");
  const arrived = new Set(receiver.taken.map(({ headers }) => headers["webhook-id"]));
  same(arrived.size, receiver.taken.length, "webhooks, each once");
  same(
    [...ids].filter((id) => !arrived.has(id)),
    [],
    "webhooks that were refused and never came again",
  );
  const events = receiver.taken.map(told);
  const wanted = await world.sql<{ line: string }>(
    `
    SELECT concat_ws(' ', CASE kind WHEN 'submitted' THEN 'application.submitted' WHEN 'link_opened' THEN 'link.opened'
      ELSE 'application.status_changed' END, reference, CASE kind WHEN 'submitted' THEN 'submitted' WHEN 'link_opened' THEN '*'
      ELSE detail END) AS line
    FROM events e JOIN applications a ON a.id = "applicationId"
    WHERE kind IN ('submitted', 'status_changed', 'link_opened') AND reference = ANY ($1) ORDER BY at, e.id`,
    [references],
  );
  const restored = [...events]
    .sort(inOrder)
    .map(line)
    .map((one) => one.replace(/^(link\.opened \S+).*/, "$1 *"));
  same(
    restored,
    wanted.map((row) => row.line),
    "events in the order that was restored",
  );
  const late = events.filter((event, place) =>
    events.slice(0, place).some((before) => inOrder(before, event) > 0),
  ).length;
  return `a receiver down for 3 days, by the times at which messages are due (${attempts} attempts in vain): all ${events.length} events, each once, ${late} out of order, which timestamp and sequence restore`;
}

async function untilSent(world: World): Promise<void> {
  for (let round = 0; round < 600; round += 1) {
    const open = await world.sql(`SELECT FROM messages WHERE channel = 'webhook' AND state IN ('waiting', 'sending')`);
    if (open.length === 0) return;
    await makeDue(world);
    await sleep(100);
  }
  expect(false, "webhooks were still not sent a minute after the receiver was back");
}

const webhooksArrive: Promised = {
  number: 49,
  async prove(world) {
    const sent = Array.from({ length: many }, signed);
    const verified = sent.filter(isVerified).length;
    same(verified, many, "signatures that standardwebhooks verified");
    const tampered = sent.map((one, index) => tamperings[index % tamperings.length]?.(one) ?? one);
    same(tampered.filter(isVerified).length, 0, "tampered webhooks that standardwebhooks verified");
    const receiver = await startReceiver();
    const measured = await happen(world, receiver, newSecret()).finally(receiver.close);
    return `${many} signatures verified, ${many} tampered ones refused (${tamperings.length} ways); ${measured}`;
  },
};

export const webhooks = [webhooksArrive];
