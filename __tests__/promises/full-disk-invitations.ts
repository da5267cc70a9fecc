import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "@/__tests__/support/processes/postgres";
import { makeRoles } from "@/lib/server/db/roles";
import { expect, same } from "./support/expect";
import type { Promised } from "./support/world";

const count = 20_000;
const node = `exec '${process.execPath}' --conditions=react-server --require tsx/cjs lib/cli/invite.ts`;

function invite(database: string, script: string): ChildProcess {
  const env = { ...process.env, OPERATIONS_DATABASE_URL: database, APP_URL: "https://apply.example" };
  return spawn("bash", ["-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Its exit code, what it said, and the most memory that it held, in MB. */
async function ended(child: ChildProcess) {
  const heard = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  let isOver = false;
  const over = once(child, "close").then(([code]) => {
    isOver = true;
    return code as number | null;
  });
  let memory = 0;
  for (; !isOver; await sleep(20)) memory = Math.max(memory, heldBy(child.pid));
  const [out = "", err = ""] = await heard;
  return { code: await over, out, err, memory };
}

function heldBy(pid = 0): number {
  const status = `/proc/${pid}/status`;
  return existsSync(status) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1] ?? 0) / 1024 : 0;
}

/** A folder on a disk of so many MB; where this user may not mount one, files may be as large as that. */
function smallDisk(folder: string, megabytes: number) {
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" });
    const enlarge = () => execFileSync("mount", ["-o", "remount,size=64m", folder]);
    return { limit: "", kind: "a full disk", enlarge, remove: () => execFileSync("umount", [folder]) };
  } catch {
    const limit = `ulimit -f ${megabytes * 1024};`;
    return { limit, kind: "a limit on the size of files", enlarge: () => {}, remove: () => {} };
  }
}

/** The hashes of the links in a file, which may end in the middle of one. */
function hashesIn(file: string): string[] {
  const tokens = [...readFileSync(file, "utf8").matchAll(/\?token=([\w-]{43})[,&]/g)];
  return tokens.map(([, token = ""]) => createHash("sha256").update(token).digest("hex"));
}

const invitations: Promised = {
  number: 58,
  async prove({ postgres }) {
    const owner = await postgres.createDatabase("invitations");
    const operations = (await makeRoles(owner)).find(({ kind }) => kind === "operations")?.url ?? "";
    const committed = () =>
      withClient(owner, async (client) => {
        const { rows } = await client.query(`SELECT encode("tokenHash", 'hex') AS hash FROM link_tokens`);
        return rows.map(({ hash }) => String(hash));
      });
    const folder = mkdtempSync(join(tmpdir(), "invitations-"));
    const disk = smallDisk(join(folder, "disk"), 2);
    try {
      const csv = join(folder, "in.csv");
      const rows = Array.from({ length: count }, (_, n) => `04${String(n).padStart(8, "0")},Ada,Lovelace ${n}`);
      writeFileSync(csv, `mobile,first-name,last-name\n${rows.join("\n")}\n`);

      const fifo = join(folder, "fifo");
      execFileSync("mkfifo", [fifo]);
      const pipes = [
        `(${node} --csv ${csv}) | head -1 > /dev/null; exit \${PIPESTATUS[0]}`,
        `(${node} --csv ${csv} --out /dev/stdout) | head -1 > /dev/null; exit \${PIPESTATUS[0]}`,
        `${node} --csv ${csv} --out ${fifo}`,
      ];
      for (const pipe of pipes) {
        const { code, err } = await ended(invite(operations, pipe));
        same([code, /^\s+at /m.test(err)], [1, false], `exit code and stack trace of ${pipe}`);
        same((await committed()).length, 0, `links committed by ${pipe}`);
      }

      const out = join(folder, "disk", "links.csv");
      const whole = `${node} --csv ${csv} --out ${out}`;
      const full = await ended(invite(operations, disk.limit + whole));
      same(full.code, 1, "exit code on a full disk");
      expect(/cannot be written: (the disk is full|it is as large)/.test(full.err), full.err);
      const before = await committed();
      const written = new Set(hashesIn(out));
      same(before.filter((hash) => !written.has(hash)).length, 0, "committed links that are not in the file");
      expect(before.length > 0 && before.length < count, `${before.length} committed on a full disk`);

      disk.enlarge();
      const killed = invite(operations, whole);
      for (const size = statSync(out).size; statSync(out).size < size + 300_000; ) await sleep(20);
      killed.kill("SIGKILL");
      await ended(killed);
      const rest = await ended(invite(operations, whole));
      same([rest.code, rest.err], [0, ""], "exit code and complaints of the last run");
      const [all, last] = [await committed(), hashesIn(out)];
      same([all.length, last.length], [count, count], "links committed, and in the file");
      same([...all].sort(), [...last].sort(), "links committed, and in the file");
      expect(full.memory < 400, `the command held ${Math.round(full.memory)} MB`);
      return `20,000 invitations: into a closed pipe, standard output and a FIFO 0 committed; on ${disk.kind} ${before.length.toLocaleString("en")} committed, all of them in the file; run again, killed with kill -9 and run again: 20,000 in the file, each once, with at most ${Math.round(full.memory)} MB of memory`;
    } finally {
      disk.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const fullDiskInvitations = [invitations];
