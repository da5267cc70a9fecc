import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import {
  listOf,
  openMailServer,
  openMessagingSetup,
  sandbox,
  timesOf,
  unsent,
} from "@/__tests__/lab/promises/support/sending";
import { smallDisk } from "@/__tests__/lab/promises/support/small-disk";
import { promise, type World } from "@/__tests__/lab/promises/support/world";

const command = `exec '${process.execPath}' --conditions=react-server --require tsx/cjs lib/cli/invitations/invite.ts`;

/** Runs a shell line that contains `npm run invite`. `ended` resolves with the exit code and stderr. */
function run(line: string, env: Record<string, string>) {
  const child = spawn("bash", ["-c", line], { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  const err = text(child.stderr as NonNullable<typeof child.stderr>);
  const ended = once(child, "close").then(async ([code]): Promise<[number | null, string]> => [code, await err]);
  return { child, ended };
}

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);

/** Returns the token hashes of the complete links in a file, which may end in the middle of a link. */
function hashesIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const tokens = [...readFileSync(file, "utf8").matchAll(/\?token=([\w-]{43})[,&]/g)];
  return tokens.map(([, token = ""]) => createHash("sha256").update(token).digest("hex"));
}

/** Starts a database, a mail server and, if `isSending`, two workers. Returns helpers to invite a list and check the result. */
async function lender(world: World, name: string, isSending: boolean) {
  const server = await openMailServer(world);
  const messaging = await openMessagingSetup(world, name);
  const unlimited = { MESSAGES_PER_DAY: "1000000", LOG_LEVEL: "silent", REMINDER_DAYS: "off" };
  const settings = { ...sandbox, SMTP_URL: server.url, ...unlimited };
  if (isSending) await Promise.all([messaging.worker(settings), messaging.worker(settings)]);
  // With the address given, the command has nothing to report about it.
  const env = { ...settings, OPERATIONS_DATABASE_URL: messaging.operations, APP_URL: "http://localhost:3000" };
  return {
    invite: (line: string) => run(line, env),
    applications: async () => Number((await messaging.sql("SELECT count(*) FROM applications"))[0]?.count),
    /** The token hashes of the links that were issued by invitation. */
    async links() {
      const rows = await messaging.sql<{ hash: string }>(
        `SELECT encode(t."tokenHash", 'hex') AS hash FROM link_tokens t JOIN events e ON e."linkId" = t."linkId"
         WHERE e.kind = 'link_issued' AND e.detail = ''`,
      );
      return rows.map(({ hash }) => hash);
    },
    async eachGotOne(count: number) {
      await messaging.until("invitations are not sent", unsent, 900);
      const people = server.envelopes.flat();
      same([people.length, new Set(people).size], [count, count], "invitations that came, people who got one");
      same(Math.max(...timesOf(server.raw)), 1, "times that one came");
    },
  };
}

promise(54, async (world) => {
  const { invite, applications, eachGotOne } = await lender(world, "sent_csv", true);
  const count = 20_000;
  const folder = world.folder();
  const [csv, out] = [listOf(count, folder), join(folder, "links.csv")];
  const line = `${command} --csv ${csv} --out ${out} --send`;
  const first = invite(line);
  // The output is about four times as long as the list, so this kills the command halfway.
  while (sizeOf(out) < sizeOf(csv) * 2 && first.child.exitCode === null) await sleep(10);
  first.child.kill("SIGKILL");
  await first.ended;
  const half = await applications();
  expect(half > 0 && half < count, `${half} invitations were there when it was killed`);
  const [code, err] = await invite(line).ended;
  same(code, 0, err);
  await eachGotOne(count);
  return `20,000 invitations by CSV, killed after ${half.toLocaleString("en")} and started again: each sent once`;
});

/** The part of promise 58 about invitation lists. The rest is in unready.ts. */
export async function invitationsOnFullDisk(world: World): Promise<string> {
  const { invite, links } = await lender(world, "full_disk", false);
  const count = 20_000;
  const folder = world.folder();
  const csv = listOf(count, folder);
  const fifo = join(folder, "fifo");
  execFileSync("mkfifo", [fifo]);
  for (const pipe of [
    `(${command} --csv ${csv}) | head -1 > /dev/null; exit \${PIPESTATUS[0]}`,
    `(${command} --csv ${csv} --out /dev/stdout) | head -1 > /dev/null; exit \${PIPESTATUS[0]}`,
    `${command} --csv ${csv} --out ${fifo}`,
  ]) {
    const [code, err] = await invite(pipe).ended;
    same([code, /^\s+at /m.test(err), await links()], [1, false, []], `exit code, stack trace and links of ${pipe}`);
  }
  const disk = smallDisk(2);
  world.after(disk.remove);
  const out = join(disk.folder, "links.csv");
  const line = `${command} --csv ${csv} --out ${out}`;
  const [code, err] = await invite(line).ended;
  expect(code === 1 && err.includes("cannot be written: the disk is full"), `on a full disk: ${err}`);
  const before = await links();
  const written = new Set(hashesIn(out));
  same(before.filter((hash) => !written.has(hash)).length, 0, "committed links that are not in the file");
  expect(before.length > 0 && before.length < count, `${before.length} committed on a full disk`);
  execFileSync("mount", ["-o", "remount,size=64m", disk.folder]);
  const killed = invite(line);
  for (const size = sizeOf(out); sizeOf(out) < size + 300_000 && killed.child.exitCode === null; ) await sleep(20);
  killed.child.kill("SIGKILL");
  await killed.ended;
  same(await invite(line).ended, [0, ""], "exit code and complaints of the last run");
  const inFile = hashesIn(out);
  same([inFile.length, (await links()).sort()], [count, inFile.sort()], "links committed, and in the file");
  return `20,000 invitations: into a closed pipe, standard output and a FIFO 0 committed; on a full disk ${before.length.toLocaleString("en")} committed, all in the file; run again, killed with kill -9 and run again: 20,000 in the file, each once`;
}

/** Counts the refusals among two concurrent runs. Each run must succeed, be killed, or be refused with who runs the other. */
function countRefused(pair: [number | null, string][]): number {
  const another = /^Another list run by \S+ on \S+, process \d+,/m;
  const refused = pair.filter(([code, err]) => code === 1 && another.test(err));
  const failed = pair.filter((result) => result[0] !== 0 && result[0] !== null && !refused.includes(result));
  same(failed, [], "other failures of two commands at once");
  return refused.length;
}

promise(64, async (world) => {
  const { invite, applications, links, eachGotOne } = await lender(world, "same_list", true);
  const [count, rounds] = [6000, 6];
  const folder = world.folder();
  const csv = listOf(count, folder);
  const [out, other] = [join(folder, "links.csv"), join(folder, "other.csv")];
  const start = (file: string) => invite(`${command} --csv ${csv} --out ${file} --batch spring --send`);
  let refused = 0;
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
    // Rounds alternate between the same output file for both and two different ones.
    const files = [out, round % 2 === 0 ? out : other];
    const before = Math.max(...files.map(sizeOf));
    const pair = files.map(start);
    const isOver = () => pair.every(({ child }) => child.exitCode !== null);
    // Both are killed while one of them is in the middle of its list.
    while (!isOver() && Math.max(...files.map(sizeOf)) <= before) await sleep(5);
    await sleep(round * 30);
    for (const { child } of pair) if (child.exitCode === null && child.kill("SIGKILL")) kills += 1;
    refused += countRefused(await Promise.all(pair.map(({ ended }) => ended)));
  }
  const half = await applications();
  expect(half > 0 && half < count, `${half} applications before the last runs`);
  refused += countRefused(await Promise.all([start(out).ended, start(out).ended]));
  same([(await start(out).ended)[0], (await start(other).ended)[0]], [0, 0], "exit codes of the last runs");
  same(await applications(), count, "applications");
  const inFiles = [...hashesIn(out), ...hashesIn(other)].sort();
  same([inFiles.length, (await links()).sort()], [count, inFiles], "links committed, and in the files");
  await eachGotOne(count);
  expect(refused > 0, "no command was ever refused while another one ran");
  return `one list of 6,000 rows by two commands at once, ${rounds + 1} times, ${kills} of them killed with kill -9: ${refused} refused with who is running; 6,000 applications, emails and links in the files, each once`;
});
