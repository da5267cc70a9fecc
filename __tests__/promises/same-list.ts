import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { startMailServer } from "@/__tests__/support/mail-server";
import { expect, same } from "./support/expect";
import { openPost, sandbox, timesOf, unsent } from "./support/sending";
import type { Promised } from "./support/world";

const count = 6000;
const rounds = 6;

interface Ended {
  code: number | null;
  err: string;
}

function run(args: string[], env: Record<string, string>): { child: ChildProcess; ended: Promise<Ended> } {
  const command = ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/invite.ts", ...args];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const err = child.stderr ? text(child.stderr) : Promise.resolve("");
  return { child, ended: once(child, "close").then(async ([code]) => ({ code, err: await err })) };
}

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);

/** The hashes of the links in a file, which may end in the middle of one. */
function hashesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const tokens = [...readFileSync(file, "utf8").matchAll(/\?token=([\w-]{43})[,&]/g)];
  return tokens.map(([, token = ""]) => createHash("sha256").update(token).digest("hex"));
}

/** Of two that ran at once, at least one was refused with who is running, or found everything done. */
function requireOneAtATime(pair: Ended[]): number {
  const refused = pair.filter(
    ({ code, err }) => code === 1 && /^Another list run by \S+ on \S+, process \d+,/m.test(err),
  );
  for (const { code, err } of pair) expect(code === 0 || code === null || code === 1, `exit code ${code}: ${err}`);
  const failed = pair.filter((one) => one.code === 1 && !refused.includes(one));
  same(
    failed.map(({ err }) => err),
    [],
    "other failures of two commands at once",
  );
  return refused.length;
}

const sameList: Promised = {
  number: 64,
  async prove(world) {
    const post = await openPost(world, "same-list");
    const server = await startMailServer();
    const folder = mkdtempSync(join(tmpdir(), "same-list-"));
    const [csv, out, other] = [join(folder, "in.csv"), join(folder, "links.csv"), join(folder, "other.csv")];
    const rows = Array.from({ length: count }, (_, n) => `614${String(n).padStart(8, "0")},person${n}@mail.example`);
    writeFileSync(csv, `mobile,email\n${rows.join("\n")}\n`);
    const settings = {
      ...sandbox,
      SMTP_URL: server.url,
      MESSAGES_PER_DAY: "1000000",
      LOG_LEVEL: "silent",
      REMINDER_DAYS: "off",
    };
    const env = { ...settings, OPERATIONS_DATABASE_URL: post.operations };
    const start = (file: string) => run(["--csv", csv, "--out", file, "--batch", "spring", "--send"], env);
    const made = async () => Number((await post.sql("SELECT count(*) FROM applications"))[0]?.count);
    try {
      const workers = await Promise.all([post.worker(settings), post.worker(settings)]);
      let refused = 0;
      let kills = 0;
      for (let round = 0; round < rounds; round += 1) {
        // The same file, and another one, in turn.
        const files = [out, round % 2 === 0 ? out : other];
        const before = Math.max(...files.map(sizeOf));
        const pair = files.map(start);
        const ended = Promise.all(pair.map((one) => one.ended));
        // Whichever runs is in the middle of its list when both are killed.
        const isUnderWay = () => Math.max(...files.map(sizeOf)) > before;
        let isOver = false;
        ended.then(() => (isOver = true));
        while (!isOver && !isUnderWay()) await sleep(5);
        await sleep(round * 30);
        for (const { child } of pair) if (child.exitCode === null && child.kill("SIGKILL")) kills += 1;
        refused += requireOneAtATime(await ended);
      }
      const half = await made();
      expect(half > 0 && half < count, `${half} applications before the last runs`);
      const last = await Promise.all([start(out), start(out)].map((one) => one.ended));
      refused += requireOneAtATime(last);
      const [again, elsewhere] = [await start(out).ended, await start(other).ended];
      same([again.code, elsewhere.code], [0, 0], `exit codes of the last runs: ${again.err}${elsewhere.err}`);
      same(await made(), count, "applications");
      const links = await post.sql<{ hash: string }>(
        `SELECT encode(t."tokenHash", 'hex') AS hash FROM link_tokens t JOIN events e ON e."linkId" = t."linkId"
         WHERE e.kind = 'link_issued' AND e.detail = ''`,
      );
      const inFiles = [...hashesIn(out), ...hashesIn(other)];
      same([links.length, inFiles.length], [count, count], "links committed, and in the files");
      same(links.map(({ hash }) => hash).sort(), inFiles.sort(), "links committed, and in the files");
      await post.until("invitations are not sent", unsent, 120);
      for (const worker of workers) worker.kill("SIGTERM");
      const people = server.envelopes.flat();
      same([people.length, new Set(people).size], [count, count], "invitations that came, people who got one");
      same(Math.max(...timesOf(server.raw)), 1, "times that one came");
      expect(refused > 0, "no command was ever refused while another one ran");
      return `one list of 6,000 rows by two commands at once, ${rounds + 1} times, ${kills} of them killed with kill -9: ${refused} refused with who is running; ${half.toLocaleString("en")} rows done before the last runs; 6,000 applications, 6,000 emails, each person one, 6,000 links committed and in the files, each once`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await post.end();
      await server.stop();
    }
  },
};

export const sameLists = [sameList];
