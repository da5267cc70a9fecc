import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { selfSigned } from "@/__tests__/lab/promises/support/certificate";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { serveThrough } from "@/__tests__/lab/promises/support/through-pooler";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { lender } from "@/__tests__/support/lender";
import { freePort } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { pgbouncers, startPgbouncer } from "@/__tests__/support/processes/pgbouncer";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { runAs } from "@/lib/embedded-postgres/programs";
import { withConnection } from "@/lib/server/db/connection";
import { makeToken } from "@/lib/server/links/token";

const scripts: Record<string, string> = JSON.parse(readFileSync("package.json", "utf8")).scripts;

/** Runs the command of `npm start` until it ends, with only these settings. */
async function startRefused(settings: Record<string, string>, folder = process.cwd()) {
  const { PATH = "", HOME = "" } = process.env;
  const port = String(await freePort());
  const child = spawn("sh", ["-c", scripts.start ?? ""], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: port, NODE_ENV: "production", ...settings },
  });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  clearTimeout(giveUp);
  return { code: code as number | null, errors, output: out + errors };
}

/** Copies the product to a folder other than that of its build, with or without its migrations. */
function productCopy({ folder: newFolder }: World, { migrated }: { migrated: boolean }): string {
  const folder = newFolder();
  // If this process is root, the embedded Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const linked = ["app", "components", "lib", "node_modules", "package.json", "public", "next.config.mjs"];
  for (const name of [...linked, "tsconfig.json", "tsconfig.build.json"])
    symlinkSync(join(process.cwd(), name), join(folder, name));
  const isWanted = (path: string) => !/^\.next\/(cache|dev)/.test(path);
  cpSync(".next", join(folder, ".next"), { recursive: true, verbatimSymlinks: true, filter: isWanted });
  mkdirSync(join(folder, "prisma"));
  if (migrated) cpSync("prisma", join(folder, "prisma"), { recursive: true });
  return folder;
}

/** Makes the run's Postgres offer TLS. Returns the path of its self-signed certificate. */
async function encrypt({ postgres, sql, after }: World): Promise<string> {
  const as = runAs(join(postgres.folder, "postgres"), []);
  const { key, cert } = selfSigned();
  const file = (name: string, content: string) => {
    const path = join(postgres.folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    as.give(path);
    return path;
  };
  const certificate = file("server.crt", cert);
  await sql(`ALTER SYSTEM SET ssl_key_file = '${file("server.key", key)}'`);
  await sql(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
  const offer = async (isOn: boolean) => {
    await sql(`ALTER SYSTEM SET ssl = ${isOn ? "on" : "off"}`);
    await sql("SELECT pg_reload_conf()");
    // The postmaster reloads its settings asynchronously.
    await sleep(500);
  };
  await offer(true);
  after(() => offer(false));
  return certificate;
}

interface WrongStart {
  settings: Record<string, string>;
  /** A pattern that the error message must match. */
  says: RegExp;
  folder?: string;
}

const elsewhere = "https://apply.example";
const production = { APP_URL: elsewhere };

/** Returns a changed copy of a URL. */
function changed(url: string, change: (parsed: URL) => void): string {
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
}
const withParameter = (url: string, parameters: string) => changed(url, (parsed) => (parsed.search = parameters));

function wrongSettings(url: string): WrongStart[] {
  const database = (parameters: string) => ({ DATABASE_URL: withParameter(url, parameters) });
  return [
    { settings: { PORT: "99999" }, says: /PORT: / },
    { settings: { PORT: "http", DATABASE_URL: url }, says: /PORT: / },
    { settings: { APP_URL: "apply.example" }, says: /APP_URL: Invalid URL/ },
    { settings: production, says: /production.* DATABASE_URL \(or EMBEDDED=1\), BRAND_NAME/ },
    { settings: { ...production, DATABASE_URL: url, BRAND_NAME: "Banksia" }, says: /production.* BRAND_LEGAL_NAME/ },
    { settings: { DATABASE_URL: "localhost:5432" }, says: /DATABASE_URL: Invalid URL/ },
    { settings: { DATABASE_URL: url, EMBEDDED: "1" }, says: /EMBEDDED: cannot be combined with DATABASE_URL/ },
    { settings: database("schema=lender"), says: /DATABASE_URL: schema / },
    { settings: database("sslmode=prefer"), says: /DATABASE_URL: sslmode / },
    { settings: database("sslmode=verify-ca"), says: /DATABASE_URL: .*sslrootcert/ },
    { settings: database("sslmode=verify-full&sslrootcert=/nowhere.pem"), says: /DATABASE_URL: .*\/nowhere\.pem/ },
  ];
}

/** Creates databases on the run's server, each of which the app must refuse for another reason. */
async function wrongDatabases({ postgres, database, users, sql }: World, folder: string): Promise<WrongStart[]> {
  const databaseUrl = (name: string) => changed(database, (parsed) => (parsed.pathname = `/${name}`));
  const asApp = (name: string) => changed(users.app, (parsed) => (parsed.pathname = `/${name}`));
  const stranger = { username: "stranger", password: "stranger" };
  const asStranger = (url: string) => changed(url, (parsed) => Object.assign(parsed, stranger));
  await sql("CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
  await sql("CREATE DATABASE latin ENCODING LATIN1 LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0");
  await postgres.createDatabase("empty", { migrated: false });
  const on = (name: string, statement: string) =>
    withConnection(databaseUrl(name), (client) => client.query(statement));
  for (const name of ["unread", "unwritten", "tableless", "elsewhere"]) await postgres.createDatabase(name);
  const app = new URL(users.app).username;
  const everything = `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${app};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${app}`;
  await on("unwritten", `${everything}; REVOKE INSERT ON events FROM ${app}`);
  await on("tableless", `${everything}; DROP TABLE rate_limits`);
  await on("elsewhere", "ALTER SCHEMA public RENAME TO lender");
  const withUrl = (url: string) => ({ DATABASE_URL: url });
  return [
    { settings: withUrl(changed(users.app, (parsed) => (parsed.password = "wrong"))), says: /rejects the password/ },
    { settings: withUrl(changed(users.app, (parsed) => (parsed.password = ""))), says: /asks .* for a password/ },
    { settings: withUrl(databaseUrl("nowhere")), says: /There is no database .*\/nowhere/ },
    { settings: withUrl(databaseUrl("empty")), says: /pending migrations.*npm run migrate/ },
    { settings: withUrl(databaseUrl("latin")), says: /encoding is LATIN1/ },
    { settings: withUrl(asStranger(databaseUrl("unread"))), says: /stranger lacks a privilege/ },
    { settings: withUrl(asApp("unwritten")), says: /lacks INSERT on events/ },
    { settings: withUrl(asApp("tableless")), says: /lacks table rate_limits/ },
    { settings: withUrl(asApp("elsewhere")), says: /schema lender, which this user cannot see/ },
    { settings: withUrl(withParameter(users.app, "sslmode=require")), says: /does not support encryption/ },
    { settings: withUrl(users.app), says: /migrations of this version are missing/, folder },
  ];
}

async function refusals(starts: WrongStart[], secret: string): Promise<void> {
  await runConcurrently(starts.length, 2, async (n) => {
    const { settings, says, folder } = starts[n] as WrongStart;
    const { code, errors, output } = await startRefused(settings, folder);
    same(code, 1, `exit code where it should say ${says} (${output})`);
    expect(says.test(errors), `a start says '${errors}' instead of ${says}`);
    same(errors.trim().split("\n").length <= 2 && !/^\s+at /m.test(errors), true, `one sentence (${errors})`);
    expect(!output.includes(secret), `a start prints the database's password (${says})`);
  });
}

/** Expects a refusal behind each PgBouncer that keeps no prepared statements, and service behind one that keeps them. */
async function poolers(world: World, secret: string): Promise<{ refused: string[]; served: string[] }> {
  const { app } = world.users;
  const found = { refused: [] as string[], served: [] as string[] };
  for (const program of pgbouncers()) {
    const isNew = program.number >= 121;
    const refuses = async (settings: Record<string, string>, says: RegExp) => {
      const { url, stop } = await startPgbouncer(program, app, settings);
      await refusals([{ settings: { DATABASE_URL: url }, says }], secret).finally(stop);
    };
    // Before 1.20, PgBouncer accepts no options at the start of a connection, or ignores them.
    const ignoring = { ignore_startup_parameters: "options" };
    const unprepared = isNew ? { max_prepared_statements: "0" } : ignoring;
    await refuses(unprepared, /pooler .* does not support prepared statements/);
    found.refused.push(program.version);
    if (!isNew) {
      const user = new URL(app).username;
      await refuses({ pool_mode: "session" }, /pooler .* refuses .* unsupported startup parameter/);
      await world.sql(`ALTER ROLE ${user} SET timezone = 'Australia/Sydney'`);
      await refuses({ ...ignoring, pool_mode: "session" }, /times would be misread \(Australia\/Sydney, ISO/);
      await world.sql(`ALTER ROLE ${user} RESET timezone`);
      continue;
    }
    const withStatements = await startPgbouncer(program, app, { max_prepared_statements: "100" });
    const saves = await serveThrough(world, withStatements.url).finally(withStatements.stop);
    found.served.push(`${program.version} by transaction (${saves}, a locked row 503 and not saved later)`);
  }
  expect(found.refused.length > 0, "PgBouncer is missing: apt-get install pgbouncer");
  return found;
}

/** Starts that must succeed: four values of sslmode, and production on the embedded Postgres. */
async function rightStarts({ start, users }: World, trusted: string, folder: string): Promise<void> {
  for (const mode of ["disable", "require", `verify-ca&sslrootcert=${trusted}`, "no-verify"]) {
    const app = await start({ database: withParameter(users.app, `sslmode=${mode}`) });
    await app.end("SIGTERM");
  }
  const embedded = await start({ database: "", folder, settings: { APP_URL: elsewhere, EMBEDDED: "1", ...lender } });
  const [line = ""] = embedded.output().match(/^{.*"start":.*/m) ?? [];
  const { database, commit, ...logged } = JSON.parse(line).start;
  const version = JSON.parse(readFileSync("package.json", "utf8")).version;
  const expected = { version, user: "rent_advance_app", listens: `127.0.0.1:${embedded.port}`, address: elsewhere };
  same(logged, expected, "first line of the log");
  expect(/^(\w{12}|unknown)$/.test(commit), `the first line of the log names the commit ${commit}`);
  expect(/^127\.0\.0\.1:\d+\/rent_advance$/.test(database), `the first line of the log names the database ${database}`);
  same((await call(embedded, "verify-token", { token: makeToken() })).status, 401, "status of a wrong token");
  await embedded.end("SIGTERM");
}

promise(59, async (world) => {
  const secret = new URL(world.users.app).password;
  const [unmigrated, migrated] = [productCopy(world, { migrated: false }), productCopy(world, { migrated: true })];
  const starts = [...wrongSettings(world.users.app), ...(await wrongDatabases(world, unmigrated))];
  await refusals(starts, secret);
  const { refused, served } = await poolers(world, secret);
  const trusted = await encrypt(world);
  const certificate = { DATABASE_URL: withParameter(world.users.app, "sslmode=verify-full") };
  await refusals([{ settings: certificate, says: /certificate .* not trusted/ }], secret);
  await rightStarts(world, trusted, migrated);
  return `${starts.length + refused.length + 1} wrong starts, PgBouncer ${refused.join(" and ")} without prepared statements among them: exit code 1 and one sentence that names the cause, no password in it; served: sslmode disable, require, verify-ca and no-verify with a self-signed certificate, production on the embedded Postgres with a build from another folder, PgBouncer ${served.join(" and ") || "1.21 or later, which is not here"}`;
});
