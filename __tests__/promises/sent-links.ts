import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { runCommand } from "@/__tests__/support/run-command";
import { dumpOf } from "./support/dump";
import { expect, same } from "./support/expect";
import { openPost, unsent } from "./support/sending";
import type { Promised } from "./support/world";

const count = 1000;

/** No other promise stores these. */
const linnet = { first: "Siskina", address: "siskin@secret.example", number: "61455511177" };

/** Quoted-printable breaks lines, and writes '=' as '=3D'. */
const plain = (message: Buffer) => message.toString("latin1").replaceAll("=\r\n", "").replaceAll("=3D", "=");

const noToken: Promised = {
  number: 46,
  async prove(world) {
    const post = await openPost(world, "sent-links");
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), "sent-links-"));
    const metricsPort = await freePort();
    const app = await post.start({
      SMTP_URL: server.url,
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: "debug",
      MESSAGES_PER_DAY: "100000",
    });
    try {
      const file = join(folder, "in.csv");
      const rows = Array.from(
        { length: count },
        (_, n) => `614${String(n).padStart(8, "0")},person${n}@mail.example,Siskina`,
      );
      rows.push(`${linnet.number},${linnet.address},${linnet.first}`);
      writeFileSync(file, `mobile,email,first-name\n${rows.join("\n")}\n`);
      const args = ["--csv", file, "--out", join(folder, "links.csv"), "--send"];
      const said = await runCommand("invite", args, {
        SMTP_URL: server.url,
        SANDBOX_RECIPIENTS: "*",
        OPERATIONS_DATABASE_URL: post.operations,
      });
      same(said.code, 0, said.err);
      await post.until("invitations are not sent", `${unsent} AND kind = 'invitation'`, 150);
      const secrets = server.raw.flatMap((message) => {
        const text = plain(message);
        return [/\?token=([\w-]{43})/.exec(text)?.[1] ?? "", /\/stop\?code=([\w-]{30})/.exec(text)?.[1] ?? ""];
      });
      same([new Set(secrets).size, secrets.includes("")], [2 * (count + 1), false], "tokens and codes that were sent");
      const opens = await call(app, "verify-token", { token: secrets[0] });
      same(opens.status, 200, "a link that was sent");

      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const dump = JSON.stringify(await dumpOf(post.owner));
      const database = readFileSync(join(world.postgres.folder, "postgres.log"), "utf8");
      const where = {
        "a dump": dump,
        "the log": app.output(),
        metrics,
        "Postgres's log": database,
        "what the command said": said.out + said.err,
      };
      for (const [name, text] of Object.entries(where))
        same(secrets.filter((secret) => text.includes(secret)).length, 0, `tokens and codes in ${name}`);
      return `${count.toLocaleString("en")} links sent: in a dump, the app's and Postgres's log, the metrics and what the command said 0 tokens and 0 codes to stop`;
    } finally {
      await app.end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
      await post.end();
      await server.stop();
    }
  },
};

const forgotten: Promised = {
  number: 52,
  async prove(world) {
    const post = await openPost(world, "forgotten");
    const server = await startMailServer();
    const settings = { SMTP_URL: server.url, SANDBOX_RECIPIENTS: "*", OPERATIONS_DATABASE_URL: post.operations };
    const command = (name: string, ...args: string[]) => runCommand(name, args, settings);
    const app = await post.start({ SMTP_URL: server.url });
    try {
      const { first, address, number } = linnet;
      const args = ["--json", "--mobile", number, "--email", address, "--first-name", first, "--send"];
      const { reference } = JSON.parse((await command("invite", ...args)).out);
      await post.until("messages are not sent", `${unsent} AND kind = 'invitation'`, 30);
      await command("suppressions", "add", address, "--by", "Vera");
      const personal = [first, address, number];
      const left = async () => {
        const dump = await dumpOf(post.owner);
        const tables = ["messages", "message_attempts", "suppressions"].map((name) => dump[name] ?? []);
        return {
          rows: tables.map(({ length }) => length),
          found: personal.filter((value) => JSON.stringify(dump).includes(value)),
        };
      };
      const before = await left();
      same(before.found, personal, "values in a dump before");
      same((await command("person", "erase", reference, "--by", "Vera")).code, 0, "exit code of the erasure");
      const after = await left();
      same(after, { rows: before.rows, found: [] }, "what is left of messages, attempts and stops");
      await sleep(1500);
      const [waiting] = await post.sql(`SELECT count(*)::int ${unsent}`);
      same([server.raw.length, waiting?.count], [1, 0], "messages that came; that wait");
      expect(
        before.rows.every((rows) => rows > 0),
        `rows of messages, attempts, stops: ${before.rows}`,
      );
      return `a person erased: of ${personal.length} values in messages, attempts and stops 0 are left, ${before.rows.join(", ")} rows are; 0 of 3 reminders still wait`;
    } finally {
      await app.end("SIGTERM");
      await post.end();
      await server.stop();
    }
  },
};

export const sentLinks = [noToken, forgotten];
