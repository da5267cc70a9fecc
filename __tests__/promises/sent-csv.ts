import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "@/__tests__/support/mail-server";
import { runCommand } from "@/__tests__/support/run-command";
import { expect, same } from "./support/expect";
import { openPost, sandbox, timesOf, unsent } from "./support/sending";
import type { Promised } from "./support/world";

const count = 20_000;

const invitations: Promised = {
  number: 54,
  async prove(world) {
    const post = await openPost(world, "sent-csv");
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), "sent-csv-"));
    const [file, out] = [join(folder, "in.csv"), join(folder, "links.csv")];
    const rows = Array.from({ length: count }, (_, n) => `614${String(n).padStart(8, "0")},person${n}@mail.example`);
    writeFileSync(file, `mobile,email\n${rows.join("\n")}\n`);
    const settings = {
      ...sandbox,
      SMTP_URL: server.url,
      MESSAGES_PER_DAY: "1000000",
      LOG_LEVEL: "silent",
      REMINDER_DAYS: "off",
    };
    const env = { ...settings, OPERATIONS_DATABASE_URL: post.operations };
    const args = ["--csv", file, "--out", out, "--send"];
    try {
      const workers = await Promise.all([post.worker(settings), post.worker(settings)]);
      const first = spawn(
        process.execPath,
        ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/invite.ts", ...args],
        {
          env: { ...process.env, ...env },
          stdio: "ignore",
        },
      );
      const size = rows.join("\n").length;
      // A link is four times as long as its row.
      for (; !existsSync(out) || statSync(out).size < size * 2; await sleep(10));
      first.kill("SIGKILL");
      await once(first, "exit");
      const [half] = await post.sql("SELECT count(*)::int AS made FROM applications");
      expect(half?.made > 0 && half?.made < count, `${half?.made} invitations were there when it was killed`);
      const again = await runCommand("invite", args, env);
      same(again.code, 0, again.err);
      await post.until("invitations are not sent", unsent, 150);
      for (const worker of workers) worker.kill("SIGTERM");
      const people = server.envelopes.flat();
      same([people.length, new Set(people).size], [count, count], "invitations that came, people who got one");
      same(Math.max(...timesOf(server.raw)), 1, "times that one came");
      return `20,000 invitations by CSV, killed after ${half?.made.toLocaleString("en")} and started again: each sent once`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await post.end();
      await server.stop();
    }
  },
};

export const sentCsv = [invitations];
