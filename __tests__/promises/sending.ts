import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { consent } from "@/__tests__/support/answers";
import { startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { quantile } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";
import { expect, same } from "./support/expect";
import { openPost, type Post, timesOf, unsent } from "./support/sending";
import type { Promised } from "./support/world";

const kills = 20;

/** The minute for which a worker holds what it has claimed goes by. */
const aMinutePasses = ({ sql }: Post) =>
  sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '61 s' WHERE state = 'sending'`);

const killed: Promised = {
  number: 42,
  async prove(world) {
    const post = await openPost(world, "killed");
    const server = await startMailServer();
    try {
      await post.tests(1500);
      for (let kill = 0; kill < kills; kill += 1) {
        const worker = await post.worker({ SMTP_URL: server.url });
        const before = server.raw.length;
        // Some of its messages are sent, and it is in the middle of others.
        for (const end = Date.now() + 5000; server.raw.length < before + 20 && Date.now() < end; ) await sleep(2);
        worker.kill("SIGKILL");
        await once(worker, "exit");
        await aMinutePasses(post);
      }
      const last = await post.worker({ SMTP_URL: server.url });
      await post.until("messages are not sent", unsent, 60);
      last.kill("SIGTERM");
      const [code] = await once(last, "exit");
      const times = timesOf(server.raw);
      const twice = times.filter((count) => count > 1);
      same(times.length, 1500, "messages that arrived");
      // Ten are sent side by side.
      expect(twice.length <= kills * 10, `${twice.length} messages came twice`);
      same([code, Math.max(...times) <= 3], [0, true], "exit code of the last worker; at most three times");
      return `1,500 emails through ${kills} × kill -9 of the worker: 0 lost, ${twice.length} came again (ten are under way at once), each with its Message-ID`;
    } finally {
      await post.end();
      await server.stop();
    }
  },
};

const away: Promised = {
  number: 43,
  async prove(world) {
    const post = await openPost(world, "away");
    const port = await freePort();
    const app = await post.start({ SMTP_URL: `smtp://127.0.0.1:${port}`, STAFF_EMAILS: "ops@lender.example" });
    try {
      const invitations = Array.from({ length: 40 }, () => "--mobile=61412345678");
      const submitted = await several(invitations.length, 4, async () => {
        const { out } = await runCommand("invite", ["--json", "--mobile", "61412345678"], {
          OPERATIONS_DATABASE_URL: post.operations,
        });
        const { token } = JSON.parse(out);
        await fillIn(app, token);
        return call(app, "submit-final", { token, data: consent });
      });
      same(submitted.filter(({ status }) => status === 200).length, 40, "submissions");
      // Ten minutes, of which every second was like these.
      await sleep(12_000);
      await post.sql(`UPDATE message_attempts SET at = at - interval '10 minutes'`);
      const [state] = await post.sql(`SELECT count(*)::int AS waiting ${unsent}`);
      same(state?.waiting, 80, "messages that wait");
      const server = await startMailServer({}, port);
      const took = await post.until("messages are not sent", unsent, 60);
      same([server.raw.length, Math.max(...timesOf(server.raw))], [80, 1], "messages that arrived, each once");
      await server.stop();
      const slowest = quantile(
        submitted.map(({ milliseconds }) => milliseconds),
        1,
      );
      return `mail server away: 40 submissions answered within ${Math.round(slowest)} ms, 80 messages waiting; all sent ${Math.round(took / 1000)} s after its return, each once`;
    } finally {
      await app.end("SIGTERM");
      await post.end();
    }
  },
};

const together: Promised = {
  number: 45,
  async prove(world) {
    const post = await openPost(world, "together");
    const server = await startMailServer();
    try {
      const settings = { SMTP_URL: server.url };
      const workers = await Promise.all([post.worker(settings), post.worker(settings)]);
      await post.tests(1000);
      const took = await post.until("messages are not sent", unsent, 60);
      same([server.raw.length, Math.max(...timesOf(server.raw))], [1000, 1], "messages that arrived, each once");
      for (let n = 0; n < 20; n += 1) {
        await post.tests(1);
        await sleep(200);
      }
      await post.until("messages are not sent", unsent, 30);
      const waits = await post.sql<{ seconds: number }>(
        `SELECT extract(epoch FROM "sentAt" - "createdAt")::float AS seconds FROM messages ORDER BY number DESC LIMIT 20`,
      );
      const p95 = quantile(
        waits.map(({ seconds }) => seconds),
        0.95,
      );
      expect(p95 < 10, `due to sent: p95 ${p95} s`);
      for (const worker of workers) worker.kill("SIGTERM");
      return `two workers, 1,000 messages in ${(took / 1000).toFixed(1)} s: 0 twice; due to sent with idle workers: p95 ${p95.toFixed(1)} s`;
    } finally {
      await post.end();
      await server.stop();
    }
  },
};

export const sending = [killed, away, together];
