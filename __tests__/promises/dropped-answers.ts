import { createHmac } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "@/__tests__/support/processes/app";
import { type Answer, send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { same } from "./support/expect";
import { openPost, unsent } from "./support/sending";
import type { Promised } from "./support/world";

const count = 100;
const secret = "sixteen-letters-of-it";

/** The gateway's later word on a message, signed with the key. */
function report({ url }: Pick<App, "url">, id: string, key: string): Promise<Answer> {
  const body = JSON.stringify({ id, state: "delivered" });
  const signature = createHmac("sha256", key).update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-signature": `sha256=${signature}` };
  return send({ url }, "/api/webhooks/sms", { method: "POST", headers, body });
}

const dropped: Promised = {
  number: 44,
  async prove(world) {
    const post = await openPost(world, "dropped");
    const gateway = await startSmsGateway();
    gateway.answers("drop");
    const settings = {
      SMS_PROVIDER: "generic",
      SMS_URL: gateway.url,
      SMS_FROM: "61400000000",
      SMS_BODY: '{"to":"+{to}","from":"{from}","text":"{text}","id":"{id}"}',
    };
    try {
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
      const asked = gateway.asked.map(({ body }) => JSON.parse(body).id);
      same(
        [asked.length, new Set(asked).size],
        [count, count],
        "requests that the gateway read, and different messages",
      );
      const args = ["list", "--state", "unknown", "--json"];
      const { out } = await runCommand("messages", args, { OPERATIONS_DATABASE_URL: post.operations });
      const listed = (JSON.parse(out) as { recipient: string; error: string }[]).map(({ recipient }) => recipient);
      same([listed.length, new Set(listed).size], [count, count], "messages that 'messages list' tells as unknown");
      const app = await post.start({ ...settings, SMS_REPORT_SECRET: secret });
      const states = () => post.sql("SELECT state, count(*)::int FROM messages GROUP BY 1");
      const told = async (key: string) => {
        const answers = await several(count, 10, (n) => report(app, asked[n], key));
        return tally(answers.map(({ status }) => status));
      };
      same(
        [await told(`${secret}x`), await states()],
        [`${count} × 401`, [{ state: "unknown", count }]],
        "forged reports",
      );
      same([await told(secret), await states()], [`${count} × 200`, [{ state: "delivered", count }]], "late reports");
      const others = [
        await send(app, "/api/webhooks/sms", {}),
        await send(app, "/api/webhooks/other", { method: "POST" }),
      ];
      same(
        others.map(({ status, body }) => [status, body.success]),
        [
          [405, false],
          [404, false],
        ],
        "other calls",
      );
      await app.end("SIGTERM");
      return `${count} answers of an SMS gateway dropped, two workers one after the other: ${count} requests, 0 sent twice; npm run messages lists ${listed.length} as unknown; the gateway's late reports cleared up ${count}, forged ones 0`;
    } finally {
      await post.end();
      await gateway.end();
    }
  },
};

export const droppedAnswers = [dropped];
