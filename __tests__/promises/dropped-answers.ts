import { createHmac } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { same } from "./support/expect";
import { openPost, unsent } from "./support/sending";
import { promise } from "./support/world";

const count = 100;
const secret = "sixteen-letters-of-it";

promise(44, async (world) => {
  const gateway = await startSmsGateway();
  world.after(gateway.end);
  gateway.answers("drop");
  const post = await openPost(world, "dropped");
  const settings = {
    SMS_PROVIDER: "generic",
    SMS_URL: gateway.url,
    SMS_FROM: "61400000000",
    SMS_BODY: '{"to":"+{to}","from":"{from}","text":"{text}","id":"{id}"}',
  };
  await post.sql(
    `INSERT INTO messages (kind, channel, recipient)
     SELECT 'test', 'sms', '614' || lpad(n::text, 8, '0') FROM generate_series(1, $1) AS n`,
    [count],
  );
  // The second finds what the first has left, a minute later.
  for (let turn = 1; turn <= 2; turn += 1) {
    const worker = await post.worker(settings);
    await post.until("messages are not tried", unsent, 60);
    await sleep(3000);
    worker.kill("SIGTERM");
    await once(worker, "exit");
    await post.sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '61 s'`);
  }
  const asked: string[] = gateway.asked.map(({ body }) => JSON.parse(body).id);
  same([asked.length, new Set(asked).size], [count, count], "requests that the gateway read, and different messages");
  const { out } = await post.command("messages", ["list", "--state", "unknown", "--json"]);
  same(JSON.parse(out).length, count, "messages that 'messages list' shows as unknown");

  const app = await post.start({ ...settings, SMS_REPORT_SECRET: secret, DATABASE_TIMEOUT_MS: "15000" });
  /** The gateway's later report on each message, signed with the key; statuses, and the states afterwards. */
  const report = async (key: string) => {
    const answers = await several(count, 10, (n) => {
      const body = JSON.stringify({ id: asked[n], state: "delivered" });
      const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
      const headers = { "content-type": "application/json", "x-signature": signature };
      return send(app, "/api/webhooks/sms", { method: "POST", headers, body });
    });
    const states = await post.sql("SELECT state, count(*)::int FROM messages GROUP BY 1");
    return [tally(answers.map(({ status }) => status)), states];
  };
  same(await report(`${secret}x`), [`${count} × 401`, [{ state: "unknown", count }]], "forged reports");
  same(await report(secret), [`${count} × 200`, [{ state: "delivered", count }]], "late reports");
  return `${count} answers of an SMS gateway dropped, two workers one after the other: ${count} requests, 0 sent twice; npm run messages lists ${count} as unknown; the gateway's late reports cleared up ${count}, forged ones 0`;
});
