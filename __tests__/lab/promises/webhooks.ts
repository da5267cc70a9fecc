import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { submit } from "@/__tests__/support/processes/call";
import { type Receiver, startReceiver } from "@/__tests__/support/receiver";
import { runCommand } from "@/__tests__/support/run-command";
import { until } from "@/__tests__/support/until";
import { signatures } from "@/lib/server/channels/webhooks/send-webhook";

const many = 10_000;
const applications = 20;
const hour = 3600;

const newSecret = () => `whsec_${randomBytes(randomInt(24, 65)).toString("base64")}`;

interface Signed {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

/** Signs a webhook as the product does, with one or two secrets. The receiver knows only the last secret. */
function signed(): Signed {
  const secrets = [newSecret(), newSecret()].slice(randomInt(2));
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000) - randomInt(240));
  const reference = randomBytes(randomInt(200)).toString("latin1");
  const body = JSON.stringify({ type: "link.opened", data: { reference } });
  const signature = signatures(secrets, { id, timestamp, body });
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return { secret: secrets.at(-1) ?? "", headers, body };
}

function isVerified({ secret, headers, body }: Signed): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const changed = (text: string, at = randomInt(text.length)) =>
  text.slice(0, at) + (text[at] === "a" ? "b" : "a") + text.slice(at + 1);
const inHeader = (name: string, change: (value: string) => string) => (webhook: Signed) => ({
  ...webhook,
  headers: { ...webhook.headers, [name]: change(webhook.headers[name] ?? "") },
});
/** Changes a base64 character of each signature, but never the last before the padding, some bits of which are ignored. */
const eachSignature = (header: string) =>
  header
    .split(" ")
    .map((signature) => changed(signature, 3 + randomInt(40)))
    .join(" ");

const tamperings: ((one: Signed) => Signed)[] = [
  (webhook) => ({ ...webhook, body: changed(webhook.body) }),
  (webhook) => ({ ...webhook, body: `${webhook.body} ` }),
  (webhook) => ({ ...webhook, secret: newSecret() }),
  inHeader("webhook-id", changed),
  inHeader("webhook-timestamp", (time) => String(Number(time) + 1)),
  inHeader("webhook-timestamp", (time) => String(Number(time) - hour)),
  inHeader("webhook-signature", eachSignature),
  inHeader("webhook-signature", () => ""),
];

/** Waits until no attempt is due or in progress. Resolves with the seconds until the last scheduled attempt. */
async function untilNextAttempts({ sql }: World): Promise<number> {
  let seconds = 0;
  await until(async () => {
    const [row] = await sql<{ busy: number; wait: number | null }>(`
      SELECT count(*) FILTER (WHERE state = 'sending' OR "dueAt" <= now())::int AS busy,
        extract(epoch FROM max("dueAt") - now())::float AS wait
      FROM messages WHERE channel = 'webhook' AND state IN ('waiting', 'sending')`);
    seconds = row?.wait ?? 0;
    return row?.busy === 0;
  }, 120_000);
  return seconds;
}

/** Makes all scheduled webhooks due now, instead of waiting for them. */
const makeDue = ({ sql }: World) =>
  sql(`UPDATE messages SET "dueAt" = now() WHERE channel = 'webhook' AND state = 'waiting' AND "dueAt" > now()`);

async function untilSent(world: World): Promise<void> {
  for (let round = 0; round < 600; round += 1) {
    const open = await world.sql(`SELECT FROM messages WHERE channel = 'webhook' AND state IN ('waiting', 'sending')`);
    if (open.length === 0) return;
    await makeDue(world);
    await sleep(100);
  }
  expect(false, "webhooks were still not sent a minute after the receiver was back");
}

interface Event {
  type: string;
  timestamp: string;
  data: { reference: string; status: string; sequence: number };
}

const inOrder = (one: Event, next: Event) =>
  Date.parse(one.timestamp) - Date.parse(next.timestamp) || one.data.sequence - next.data.sequence;

/** The events of the applications, in the order in which the database recorded them. */
const recorded = `
  SELECT concat_ws(' ', CASE kind WHEN 'submitted' THEN 'application.submitted' WHEN 'link_opened' THEN 'link.opened'
    ELSE 'application.status_changed' END, reference, CASE kind WHEN 'submitted' THEN 'submitted' WHEN 'link_opened' THEN '*'
    ELSE detail END) AS line
  FROM events e JOIN applications a ON a.id = "applicationId"
  WHERE kind IN ('submitted', 'status_changed', 'link_opened') AND reference = ANY ($1) ORDER BY at, e.id`;

/** Submits applications and changes statuses while the receiver is down for 3 days, counted by the messages' due times. */
async function threeDaysDown(world: World, receiver: Receiver, secret: string): Promise<string> {
  const webhook = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret };
  const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent", ...webhook };
  const app = await world.start({ settings });
  receiver.respondWith((response) => response.writeHead(503).end());
  const references: string[] = [];
  for (let n = 0; n < applications; n += 1) {
    const { token, reference } = await invited();
    references.push(reference);
    await submit(app, token);
  }
  const idsOf = (requests: typeof receiver.requests) => new Set(requests.map(({ headers }) => headers["webhook-id"]));
  let refused = idsOf([]);
  let attempts = 0;
  for (let away = 0; away < 72 * hour; ) {
    away += await untilNextAttempts(world);
    attempts += 1;
    if (away >= 72 * hour) {
      refused = idsOf(receiver.requests.splice(0));
      receiver.respondWith((response) => response.writeHead(204).end());
    }
    await makeDue(world);
    const reference = references[attempts];
    const operations = { ...settings, DATABASE_URL: world.users.operations };
    if (reference) await runCommand("status", [reference, "in-review"], operations);
  }
  await untilSent(world);
  const { requests } = receiver;
  for (const { headers, body } of requests)
    expect(isVerified({ secret, headers: headers as Signed["headers"], body }), "a webhook was not verified");
  const arrived = idsOf(requests);
  same(arrived.size, requests.length, "webhooks, each once");
  same([...refused].filter((id) => !arrived.has(id)).length, 0, "webhooks that were refused and never came again");
  const events: Event[] = requests.map(({ body }) => JSON.parse(body));
  const line = ({ type, data }: Event) => `${type} ${data.reference} ${type === "link.opened" ? "*" : data.status}`;
  const expected = await world.sql<{ line: string }>(recorded, [references]);
  const restored = [...events].sort(inOrder).map(line);
  const lines = expected.map((row) => row.line);
  same(restored, lines, "events in the order that was restored");
  const late = events.filter((event, n) => events.slice(0, n).some((before) => inOrder(before, event) > 0)).length;
  return `a receiver down for 3 days (${attempts} attempts in vain): all ${events.length} events, each once, ${late} out of order, which timestamp and sequence restore`;
}

promise(49, async (world) => {
  const sent = Array.from({ length: many }, signed);
  same(sent.filter(isVerified).length, many, "signatures that standardwebhooks verified");
  const tampered = sent.map((webhook, index) => tamperings[index % tamperings.length]?.(webhook) ?? webhook);
  same(tampered.filter(isVerified).length, 0, "tampered webhooks that standardwebhooks verified");
  const receiver = await startReceiver();
  world.after(receiver.stop);
  const figure = await threeDaysDown(world, receiver, newSecret());
  return `${many} signatures verified, ${many} tampered ones refused (${tamperings.length} ways); ${figure}`;
});
