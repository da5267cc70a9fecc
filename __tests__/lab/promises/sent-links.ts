import { join } from "node:path";
import { dumpOf } from "@/__tests__/lab/promises/support/dump";
import { same } from "@/__tests__/lab/promises/support/expect";
import { listOf, openMailServer, openMessagingSetup, unsent } from "@/__tests__/lab/promises/support/sending";
import { promise } from "@/__tests__/lab/promises/support/world";
import { freePort } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";

const count = 1000;

/** Decodes quoted-printable, which breaks lines and writes '=' as '=3D'. */
const plain = (message: Buffer) => message.toString("latin1").replaceAll("=\r\n", "").replaceAll("=3D", "=");

promise(46, async (world) => {
  const server = await openMailServer(world);
  const messaging = await openMessagingSetup(world, "sent_links");
  const metricsPort = String(await freePort());
  const settings = { SMTP_URL: server.url, MESSAGES_PER_DAY: "100000" };
  const app = await messaging.start({ ...settings, METRICS_PORT: metricsPort, LOG_LEVEL: "debug" });
  const folder = world.folder();
  const args = ["--csv", listOf(count, folder), "--out", join(folder, "links.csv"), "--send"];
  const result = await messaging.command("invite", args, settings);
  await messaging.until("invitations are not sent", `${unsent} AND kind = 'invitation'`, 300);
  const secrets = server.raw.map(plain).flatMap((text) => {
    return [/\?token=([\w-]{43})/.exec(text)?.[1] ?? "", /\/stop\?code=([\w-]{30})/.exec(text)?.[1] ?? ""];
  });
  same([new Set(secrets).size, secrets.includes("")], [2 * count, false], "tokens and codes that were sent");
  same((await call(app, "verify-token", { token: secrets[0] })).status, 200, "status of a link that was sent");
  const where = {
    "a dump": JSON.stringify(await dumpOf(messaging.owner)),
    "the log": app.output(),
    metrics: await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    "Postgres's log": world.postgres.log(),
    "what the command printed": result.out + result.err,
  };
  for (const [name, text] of Object.entries(where))
    same(secrets.filter((secret) => text.includes(secret)).length, 0, `tokens and codes in ${name}`);
  return `1,000 links sent: in ${Object.keys(where).join(", ")} 0 tokens and 0 codes to stop`;
});
