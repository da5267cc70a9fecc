import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { follow } from "@/__tests__/lab/promises/support/dockerfile";
import { Broken, expect, same } from "@/__tests__/lab/promises/support/expect";
import { newServer, on, programWith, urlsIn } from "@/__tests__/lab/promises/support/new-server";
import { promise } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { commandsOf } from "@/__tests__/support/page-commands";
import { freePort, isHealthy } from "@/__tests__/support/processes/app";
import { call, submit } from "@/__tests__/support/processes/call";
import { type LineResult, runLine } from "@/__tests__/support/run-line";
import { withConnection } from "@/lib/server/db/connection";
import { readerUrl, roleKinds } from "@/lib/server/db/roles";
import { excessPrivileges } from "@/lib/server/db/system-queries";
import { createKey } from "@/lib/server/invitations/api-keys";

const page = "docs/deploy/README.md";
/** The submissions that links show, besides the one that is decided after the restore. */
const submissions = 5;
const keyName = "crm";

/** Verifies the unit file and returns the exposure level that systemd-analyze computes for it. */
function exposure(folder: string): string {
  const unit = join(folder, "rent-advance@3001.service");
  copyFileSync("docs/deploy/rent-advance@.service", unit);
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr, error } = spawnSync("systemd-analyze", [...args, unit], { encoding: "utf8" });
    if (error) throw new Broken("systemd-analyze is missing: apt-get install systemd");
    same([status, stderr], [0, ""], `systemd-analyze ${args[0]}`);
    return stdout;
  };
  analyze("verify");
  return /exposure level .*: (\S+)/.exec(analyze("security", "--offline=true", "--threshold=20"))?.[1] ?? "";
}

/** A command prefix for an unprivileged user, who cannot write root's files. It is empty if this process is not root. */
const nobody =
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--bounding-set=-all"]
    : [];

promise(61, async ({ after }) => {
  const program = programWith("pg_dump");
  const [build = "", ...lines] = commandsOf(page);
  const dockerfileCommands = readFileSync("docs/deploy/Dockerfile", "utf8").match(/(?<=^RUN ).*/gm);
  same(dockerfileCommands, build.split(" && "), `what the Dockerfile runs, and the first line of ${page}`);
  const image = follow("docs/deploy/Dockerfile");
  after(() => rmSync(image.root, { recursive: true, force: true }));
  const [old, fresh] = [await newServer(program), await newServer(program)];
  after(old.stop);
  after(fresh.stop);
  same([image.user, image.command], ["node", ["npm", "start"]], "user and command of the Dockerfile");

  const urls: Record<string, string> = { "<owner>": old.owner, "<new-owner>": fresh.owner };
  const port = await freePort();
  const app = { url: `http://127.0.0.1:${port}` };
  const names = parseEnv(readFileSync(".env.example", "utf8").replace(/^# (?=BRAND_)/gm, ""));
  const env: Record<string, string> = {
    ...image.env,
    ...(names as Record<string, string>),
    PATH: `${join(program, "..")}:${process.env.PATH}`,
    HOME: "/nonexistent",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: "",
    DATABASE_TIMEOUT_MS: "",
    SHUTDOWN_DELAY_MS: "0",
  };

  const tokens: string[] = [];
  const submitting: string[] = [];
  const readApplications = async () => {
    const responses = [];
    for (const token of tokens) responses.push(await call(app, "verify-token", { token }));
    for (const { status } of responses) same(status, 200, "status of a link");
    return responses.map(({ body }) => body.data);
  };
  let before: unknown;
  /** What replaces the placeholders of the lines that repeat what operations did: each has an application of its own. */
  const values: Record<string, string> = { "revoke NAME": `revoke ${keyName}` };
  const use = async () => {
    if (tokens.length > 0) return same(await readApplications(), before, "what links show after the restore");
    await on(urls["<app>"] ?? "", async () => {
      for (let n = 0; n <= submissions; n += 1) tokens.push((await invited({ firstName: `Zoë ${n}` })).token);
      const [erased, revoked, decided] = [await invited(), await invited(), await invited()];
      values["erase REFERENCE"] = `erase ${erased.reference}`;
      values["revoke REFERENCE"] = `revoke ${revoked.reference}`;
      values["REFERENCE STATUS"] = `${decided.reference} approved`;
      submitting.push(decided.token, ...tokens.slice(1));
    });
    await on(urls["<operations>"] ?? "", () => createKey(keyName, ["create"], "Ines"));
    for (const token of submitting) await submit(app, token);
    before = await readApplications();
    // The page verifies the restored log against a receipt that an applicant has downloaded.
    const [, submitted] = tokens;
    const proven = async () => (await call(app, "receipt", { token: submitted })).body.data;
    let receipt = await proven();
    for (const begun = Date.now(); !receipt?.leaf; receipt = await proven()) {
      expect(Date.now() - begun < 20_000, "no leaf for a submission after 20 s");
      await sleep(200);
    }
    writeFileSync(join(image.folder, "receipt.json"), JSON.stringify(receipt));
  };

  const run = async (line: string): Promise<LineResult> => {
    const replacements = Object.entries({ ...urls, ...values });
    const command = replacements.reduce((text, [words, value]) => text.replace(words, value), line);
    const [, name, value] = /^export (\w+)=(.*)$/.exec(command) ?? [];
    if (name) env[name] = value ?? "";
    if (line.endsWith("npm start"))
      return runLine(command, { folder: image.folder, env, as: nobody }, async () => {
        if (!(await isHealthy(app, "/api/ready"))) return false;
        await use();
        return true;
      });
    if (!line.endsWith("npm run studio")) return runLine(command, { folder: image.folder, env });
    const isUp = (output: string) => output.includes("http:");
    const studioPort = await freePort();
    const studio = await runLine(`${command} -- --port ${studioPort}`, { folder: image.folder, env }, isUp);
    return { ...studio, code: isUp(studio.output) ? 0 : 1 };
  };
  let missing = "";
  let verified = "";
  for (const line of lines) {
    const { code, output } = await run(line);
    same(code, 0, `exit code of '${line}', which said ${output.slice(-500)}`);
    const owner = line.includes("<new-owner>") ? "<new-" : "<";
    for (const [kind, url] of Object.entries(urlsIn(output))) urls[`${owner}${kind}>`] = url;
    missing = /^Missing: .*/m.exec(output)?.[0] ?? missing;
    verified = /\d+ of \d+ consent records verified/.exec(output)?.[0] ?? verified;
  }
  const missingUsers = roleKinds.map((kind) => `the database user lender_${kind}`).join(", ");
  same(missing, `Missing: ${missingUsers}. Run 'npm run roles'.`, "what migrate says after the restore");
  same(verified, `${submissions + 1} of ${submissions + 1} consent records verified`, "what consent says");
  const users = { app: urls["<new-app>"], reader: readerUrl(urls["<new-operations>"] ?? "") };
  for (const kind of ["app", "reader"] as const) {
    const excess = await withConnection(users[kind] ?? "", (client) => excessPrivileges(client, kind));
    same(excess, [], `what ${kind} may do beyond its privileges after the restore`);
  }
  const sql = "SELECT has_function_privilege('lender_reader', 'erase_applications(uuid[], text)', 'EXECUTE') AS may";
  const { rows } = await withConnection(fresh.owner, (client) => client.query(sql));
  same(rows, [{ may: false }], "whether everybody may erase after the restore");
  return `every command of the deployment page in a folder made by the Dockerfile's steps, the app as nobody on files of root; PostgreSQL ${old.version} dumped, restored on a server without our users, which migrate named: ${tokens.length} links show the same as before, ${verified}; systemd's exposure level ${exposure(image.root)}`;
});
