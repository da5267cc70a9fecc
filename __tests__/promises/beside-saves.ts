import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "@/__tests__/support/mail-server";
import { median, quantile } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";
import { expect, same } from "./support/expect";
import { openPost, type Post, unsent } from "./support/sending";
import { steadily } from "./support/steadily";
import type { Promised } from "./support/world";

const due = 1000;
const most = 1.1;
const pairs = 9;

const beside: Promised = {
  number: 51,
  async prove(world) {
    const post = await openPost(world, "beside-saves");
    const server = await startMailServer();
    const settings = { MESSAGES_PER_DAY: "100000", LOG_LEVEL: "silent", RATE_LIMIT_FACTOR: "1000" };
    const [quiet, sending] = await Promise.all([
      post.start(settings),
      post.start({ ...settings, SMTP_URL: server.url }),
    ]);
    try {
      const tokens = await several(20, 2, async () => {
        const { out } = await runCommand("invite", ["--json", "--mobile", "61412345678"], {
          OPERATIONS_DATABASE_URL: post.operations,
        });
        return JSON.parse(out).token as string;
      });
      const round = async (app: typeof quiet) => {
        const answers = await steadily(app, 100, 3, tokens);
        same(
          answers.every(({ status }) => status === 200),
          true,
          "saves",
        );
        return answers.map(({ milliseconds }) => milliseconds);
      };
      await round(quiet);
      await round(sending);
      const ratios: number[] = [];
      // In pairs, each the other way around: what slows the machine for a while slows both, or one of many.
      for (let pair = 0; pair < pairs; pair += 1) {
        const before = pair % 2 === 0 ? await round(quiet) : null;
        const beside = await whileSending(post, () => round(sending));
        const without = before ?? (await round(quiet));
        ratios.push(quantile(beside, 0.95) / quantile(without, 0.95));
      }
      const told = `${median(ratios).toFixed(2)} × (median of ${pairs} pairs, ${ratios
        .map((one) => one.toFixed(2))
        .sort()
        .join(" ")})`;
      expect(median(ratios) <= most, `p95 of saves while messages are sent: ${told}`);
      return `p95 of saves while ${due.toLocaleString("en")} messages are due, against none, at 100 saves a second: ${told}`;
    } finally {
      for (const app of [quiet, sending]) await app.end("SIGTERM");
      await post.end();
      await server.stop();
    }
  },
};

/** Their writing and their removal are none of the worker's, so each has a moment to come to rest. */
async function whileSending<T>(post: Post, work: () => Promise<T>): Promise<T> {
  await post.tests(due);
  await sleep(1500);
  const done = await work();
  await post.sql(`DELETE FROM message_attempts; DELETE ${unsent}`).catch(() => undefined);
  await sleep(1500);
  return done;
}

export const besideSaves = [beside];
