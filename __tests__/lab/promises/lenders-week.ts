import { cpSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { same } from "@/__tests__/lab/promises/support/expect";
import {
  goLive,
  isReady,
  type LenderEnvironment,
  openLenderEnvironment,
  pages,
  type Site,
} from "@/__tests__/lab/promises/support/lender-environment";
import { contactsList, reportsOn } from "@/__tests__/lab/promises/support/lenders-files";
import { migrateOneFurther } from "@/__tests__/lab/promises/support/migrate-one-further";
import { urlsIn } from "@/__tests__/lab/promises/support/new-server";
import { promise } from "@/__tests__/lab/promises/support/world";
import { consent } from "@/__tests__/support/answers";
import { freePort } from "@/__tests__/support/processes/app";
import { call, steps } from "@/__tests__/support/processes/call";
import { until } from "@/__tests__/support/until";

const { deploy, operate, operations, sending, evidence, calls } = pages;

const people = 1000;
const decided = 20;
/** The number of steps of the week. It is compared at the end, so that no step is left out. */
const planned = 96;
/** The decided applications, and the one that the operator submitted on the first day. */
const verified = new RegExp(`${decided + 1} of ${decided + 1} consent records verified`);

interface Applicant {
  email: string;
  mobile: string;
  reference: string;
  token: string;
}
type Applicants = (n: number) => Applicant;
type Lender = LenderEnvironment & Site;
type LenderWithApplicants = Lender & { applicants: Applicants };
const withRef = ({ reference }: Applicant) => ({ replace: { "K7QM-4XRT": reference } });
const printsRef = ({ reference }: Applicant) => ({ prints: new RegExp(reference) });

promise(78, async (world) => {
  // This test's proxy has a self-signed certificate.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  world.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  const environment = await openLenderEnvironment(world);
  const lender = { ...environment, ...(await goLive(environment)) };
  await tryItOneself(lender);
  const withApplicants = { ...lender, applicants: await inviteMany(lender) };
  await inviteFromSystem(lender);
  const days = [applications, handleBounces, replaceLinks, read, decide, prove, seeAMessageWait, upgradeAndBack];
  for (const spend of [...days, restore, count]) await spend(withApplicants);
  const { week, server } = lender;
  same(week.steps, planned, "steps");
  return `a lender's week on PostgreSQL ${server.version} behind nginx with three identities, by lines of six pages: ${people} invitations from a messy spreadsheet, bounces, corrections, ${decided} decisions by list, an upgrade and back, a restore, figures: ${week.steps} of ${planned} steps`;
});

async function save(site: Site, { email, mobile, token }: Omit<Applicant, "reference">, last = 3): Promise<void> {
  for (const [n, { call: name, answers }] of steps.slice(0, last).entries()) {
    const data = n === 0 ? { ...answers, email, mobile } : answers;
    same((await call(site, name, { token, data })).status, 200, `status of ${name}`);
  }
}

async function submit(site: Site, token: string, data = consent): Promise<void> {
  same((await call(site, "submit-final", { token, data })).status, 200, "status of a submission");
}

const statusOf = async (site: Site, token: string) =>
  (await call(site, "verify-token", { token, source: "ba" })).status;

async function tryItOneself(lender: Lender): Promise<void> {
  const { week, mailsTo, tokenTo, alice } = lender;
  await alice(operate, "npm run messages -- test you@lender.example", { prints: /sent/ });
  const [email, mobile] = ["me@lender.example", "61411111111"];
  const output = await alice(operate, "npm run invite -- --mobile … --send", {
    replace: { "…": `${mobile} --email ${email}` },
  });
  const reference = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(output)?.[0] ?? "";
  await week.check(operate, "apply on a phone", async () => {
    await until(() => mailsTo(email) === 1);
    const token = await tokenTo(email);
    await save(lender, { email, mobile, token });
    await submit(lender, token);
    await until(() => mailsTo(email) === 2);
  });
  const approve = `npm run status -- K7QM-4XRT approved --reason "Rent is proven by the ledger"`;
  await alice(operations, approve, { replace: { "K7QM-4XRT": reference } });
  await week.check(operate, "and decide: each email arrives", () => until(() => mailsTo(email) === 3));
  await alice(operate, "npm run person -- erase REFERENCE", { replace: { REFERENCE: reference } });
}

/** Invites people from a spreadsheet, after a version with mistakes was refused. */
async function inviteMany({ week, path, mailsTo, isAllSent, alice }: Lender): Promise<Applicants> {
  const [list, links] = [path("invitations.csv"), path("links.csv")];
  const files = { "invitations.csv": list, "links.csv": links };
  const carrying = { replace: { ...files, "--batch spring": `--batch spring --carry 'Customer no'` } };
  const invite = "npm run invite -- --csv invitations.csv --out links.csv --batch spring --send";
  const mistaken = contactsList(people, true);
  writeFileSync(list, mistaken.file);
  await alice(sending, `${invite} --preview`, { replace: files, code: 1, prints: /--carry 'Customer no'/ });
  const refused = await alice(sending, `${invite} --preview`, { ...carrying, code: 1 });
  await week.check(
    operations,
    "If a row is wrong, no link is created, and the command lists all wrong rows by their numbers in the spreadsheet",
    () => {
      for (const row of mistaken.rows) same(new RegExp(`row ${row}:`).test(refused), true, `row ${row} in ${refused}`);
    },
  );
  const { file, emails } = contactsList(people, false);
  writeFileSync(list, file);
  await alice(sending, `${invite} --preview`, carrying);
  await alice(sending, invite, {
    ...carrying,
    prints: new RegExp(`^${people.toLocaleString("en")} links issued`, "m"),
  });
  await alice(sending, invite, { ...carrying, prints: /^0 links issued/m });
  await week.check(sending, "each invitation is sent once", async () => {
    await until(isAllSent);
    const miscounted = emails.filter((address) => mailsTo(address) !== 1);
    same(miscounted, [], "people without exactly one email");
  });
  const rows: Record<string, string>[] = parse(readFileSync(links), { columns: true, bom: true, delimiter: ";" });
  same(rows.length, people, "rows of links.csv");
  return (n) => {
    const { Email: email = "", Mobile = "", reference = "", link = "" } = rows[n] ?? {};
    const mobile = `61${Mobile.replace(/\D/g, "").replace(/^(61|0)/, "")}`;
    return { email, mobile, reference, token: new URL(link).searchParams.get("token") ?? "" };
  };
}

async function inviteFromSystem({ alice, url }: Lender): Promise<void> {
  const printed = await alice(operations, "npm run --silent keys -- create --name crm --by Ines");
  const key = /^\S{30,}$/m.exec(printed)?.[0] ?? "";
  const replacements = { "https://apply.example/": `${url}/`, curl: "curl --silent --insecure", $KEY: key };
  const lines = readFileSync(calls, "utf8").match(/^curl .*\/invitations.*$/gm) ?? [];
  const [create = "", look = ""] = lines;
  const created = await alice(calls, create, {
    replace: { ...replacements, "0412 345 678": "0499 345 678" },
    prints: /"success":true/,
  });
  const reference = /"reference":"([^"]+)"/.exec(created)?.[1] ?? "";
  await alice(calls, look, { replace: { ...replacements, "K7QM-4XRT": reference }, prints: /"status":"draft"/ });
  await alice(operations, "npm run keys -- list", { prints: /crm/ });
  await alice(operations, "npm run keys -- revoke crm");
}

/** Some applicants submit, some stop after step 2, and some only open their link. */
async function applications(lender: LenderWithApplicants): Promise<void> {
  for (let n = 0; n < decided + 10; n += 1) {
    const applicant = lender.applicants(n);
    same(await statusOf(lender, applicant.token), 200, "status of a link");
    if (n < decided + 5) await save(lender, applicant, n < decided ? 3 : 2);
    if (n < decided) await submit(lender, applicant.token, { ...consent, provideSelf: n < 3, authoriseAgent: n >= 3 });
  }
}

async function handleBounces(lender: LenderWithApplicants): Promise<void> {
  const { week, path, mail, mailsTo, tokenTo, alice, applicants } = lender;
  const [bounced, bouncedToo, full, complaining] = [applicants(900), applicants(901), applicants(902), applicants(903)];
  const recipients = [bounced, bouncedToo, full, complaining].map(({ email }) => email);
  writeFileSync(path("reports"), reportsOn(recipients, mail));
  const read = { replace: { "reports.mbox": path("reports") } };
  await alice(sending, "npm run messages -- bounces reports.mbox", read);
  const failed = await alice(sending, "npm run --silent messages -- list --state failed,unknown");
  const errors = failed.match(/bounced 5\.1\.1|undelivered 5\.2\.2/g)?.sort();
  const expected = ["bounced 5.1.1", "bounced 5.1.1", "undelivered 5.2.2"];
  same(errors, expected, "what failed: the forged report changes nothing");
  for (const [{ email }, prints] of [
    [bounced, /bounced 5\.1\.1/],
    [complaining, /a complaint/],
  ] as const)
    await alice(sending, "npm run suppressions -- check ada@mail.example", {
      replace: { "ada@mail.example": email },
      prints,
    });
  await alice(operations, "npm run applications -- contact K7QM-4XR9 --email alex@mail.example", {
    replace: { "K7QM-4XR9": bounced.reference, "alex@mail.example": "right@mail.example" },
    prints: /token=/,
  });
  await alice(operations, "npm run applications -- contact K7QM-4XR9 --mobile 0412345670 --send --allow-duplicates", {
    replace: { "K7QM-4XR9": bouncedToo.reference, "--mobile 0412345670": "--email next@mail.example" },
  });
  await week.check(operations, "This revokes the old links and issues a new one to the same application.", async () => {
    await until(() => mailsTo("next@mail.example") === 1);
    const tokens = [bounced.token, bouncedToo.token, await tokenTo("next@mail.example")];
    const statuses = await Promise.all(tokens.map((token) => statusOf(lender, token)));
    same(statuses, [401, 401, 200], "statuses of the old links and the new one");
  });
}

async function replaceLinks(lender: LenderWithApplicants): Promise<void> {
  const { week, path, mailsTo, isAllSent, alice, applicants } = lender;
  const [revoked, renewed, optedOut] = [applicants(910), applicants(911), applicants(912)];
  await alice(operations, "npm run links -- revoke K7QM-4XRT", withRef(revoked));
  await week.check(operations, "revokes every link of an application. It takes effect on the next call.", async () =>
    same(await statusOf(lender, revoked.token), 401, "status of a revoked link"),
  );
  await alice(operations, "npm run links -- reissue K7QM-4XRT", { ...withRef(renewed), prints: /token=/ });
  const suppress = "npm run suppressions -- add 0412345678 --by Vera";
  await alice(sending, suppress, { replace: { "0412345678": optedOut.email } });
  const reissue = "npm run links -- reissue --batch spring --unopened --out again.csv --send --preview";
  const again = { "again.csv": path("again.csv") };
  await alice(sending, reissue, { replace: again });
  await alice(sending, reissue, { replace: { ...again, " --preview": "" } });
  await week.check(operations, "except people whose links were revoked or who have opted out", async () => {
    await until(isAllSent);
    const counts = [revoked, optedOut, applicants(950)].map(({ email }) => mailsTo(email));
    same(counts, [1, 1, 2], "emails to them, and to others");
  });
}

async function read({ week, path, urls, alice, shell, applicants }: LenderWithApplicants): Promise<void> {
  const port = String(await freePort());
  const stop = await week.start(shell, operate, "npm run studio -- --port 5556 --by Alice", {
    replace: { "npm run": `OPERATIONS_DATABASE_URL='${urls["<operations>"]}' npm run`, "5556": port },
    isUp: (output) => output.includes(`http://127.0.0.1:${port}/`),
  });
  await stop();
  const list = "npm run --silent applications -- list";
  const [first, halfway] = [applicants(0), applicants(decided)];
  const aliceOnFirst = (line: string, prints?: RegExp) => alice(operations, line, { ...withRef(first), prints });
  await alice(operations, `${list} --batch spring --unopened --sort name`, { prints: /Söderberg/ });
  await alice(operations, `${list} --opened --step 3`, printsRef(halfway));
  await alice(operations, `${list} --documents self`, printsRef(first));
  await alice(operations, `${list} --duplicate`);
  await alice(operations, "npm run --silent applications -- find 0412 345 678", {
    replace: { "0412 345 678": "oconnor" },
    prints: /O’Connor/,
  });
  await aliceOnFirst("npm run --silent applications -- show K7QM-4XRT", /submitted/);
  await aliceOnFirst(`npm run applications -- note K7QM-4XRT "Called on Monday, will send the lease"`);
  await aliceOnFirst("npm run applications -- take K7QM-4XRT --by Ines");
  await alice(operations, `${list} --taken-by Ines`, printsRef(first));
  await aliceOnFirst("npm run applications -- release K7QM-4XRT --by Ines");
  await aliceOnFirst("npm run --silent person -- export K7QM-4XRT", /"consent/);
  await alice(operations, "npm run person -- export K7QM-4XRT --html K7QM-4XRT.html", {
    replace: { "--html K7QM-4XRT.html": `--html ${path("person.html")}`, ...withRef(first).replace },
  });
  const toFile = { replace: { "/safe/applications.csv": path("applications.csv") } };
  await alice(operate, "npm run export -- --columns --out /safe/applications.csv", toFile);
}

/** Sets decisions from a list. A list with a wrong row sets none of them. */
async function decide({ week, path, mailsTo, alice, applicants }: LenderWithApplicants): Promise<void> {
  const file = path("decisions.csv");
  const replace = { "decisions.csv": file };
  const all = Array.from({ length: decided }, (_, n) => applicants(n));
  const rows = all.map(({ reference }, n) => `${reference},${n % 4 ? "approved" : "declined"},Checked`);
  const write = (...further: string[]) =>
    writeFileSync(file, ["reference,status,reason", ...rows, ...further].join("\n"));
  const set = "npm run status -- --csv decisions.csv --by Ines";
  write(`${applicants(950).reference},approved,`);
  await alice(operations, set, { replace, code: 1, prints: new RegExp(`row ${decided + 2}`) });
  const submitted = "npm run --silent applications -- list --status submitted --since today";
  await alice(operations, submitted, printsRef(applicants(1)));
  write();
  await alice(operations, "npm run status -- --csv decisions.csv --preview", { replace });
  await alice(operations, set, { replace });
  await week.check(sending, "an email when the status changes", () => until(() => mailsTo(applicants(1).email) === 3));
  await alice(operations, "npm run status -- K7QM-4XRT in-review --no-message", withRef(applicants(2)));
  await alice(sending, "npm run messages -- retry --channel webhook --since 2026-11-01 --preview", { prints: /\d/ });
}

async function prove(lender: LenderWithApplicants): Promise<void> {
  const { week, path, env, tokenTo, alice, applicants } = lender;
  await alice(operations, "npm run consent -- verify", { prints: verified });
  const receipt = path("receipt.json");
  await week.check(evidence, "It can be downloaded as JSON with the whole record", async () => {
    const token = await tokenTo(applicants(1).email);
    const { body } = await call(lender, "receipt", { token });
    same(Boolean(body.data?.leaf), true, "leaf of a receipt");
    writeFileSync(receipt, JSON.stringify(body.data));
  });
  const against = { replace: { "receipt.json head.json": receipt } };
  await alice(evidence, "npm run evidence -- verify --against receipt.json head.json", against);
  const folder = path("evidence");
  await alice(operate, "npm run evidence -- export /safe/evidence", { replace: { "/safe/evidence": folder } });
  await week.run({ folder, env }, evidence, "node evidence-verify.mjs receipt.json evidence-log.json", {
    replace: { "receipt.json": receipt },
  });
}

/** Stops the worker and one of the two processes, and leaves one message waiting. */
async function seeAMessageWait(lender: LenderWithApplicants): Promise<void> {
  const { week, stops, stopWorker, url, alice, metrics, applicants } = lender;
  await week.check(operate, "stop the worker (or set `WORKER=off`) while a message waits", async () => {
    await stopWorker();
    await stops.pop()?.();
    same(await isReady(url), true, "readiness through nginx with one process");
    await alice(sending, "npm run links -- reissue K7QM-4XRT --send", withRef(applicants(960)));
    const due = /^rent_advance_oldest_message_due_seconds (\S+)/m;
    await until(async () => Number(due.exec(await metrics())?.[1]) > 1);
  });
}

async function upgradeAndBack(lender: LenderWithApplicants): Promise<void> {
  const { week, admin, path, server, image, tokenTo, stops, start, applicants } = lender;
  const [port, otherPort] = lender.ports;
  const dump = "(umask 077; runuser -u postgres -- pg_dump --format=custom rent_advance > /root/before.dump)";
  await admin(operate, dump, {
    // This server's superuser is another one, and its database has another name.
    replace: { "runuser -u postgres -- ": "", " rent_advance ": ` '${server.owner}' `, "/root": path("") },
  });
  cpSync(image.folder, path("rent-advance-2"), { recursive: true });
  await week.check(operate, "the old version keeps working", async () => {
    await migrateOneFurther(server.owner);
    same(await statusOf(lender, await tokenTo(applicants(1).email)), 200, "status of a link meanwhile");
  });
  await admin(operate, "DATABASE_URL=<owner> npm run roles");
  await admin(operate, "ln -sfn /srv/rent-advance-2 /srv/rent-advance", {
    replace: { "/srv/rent-advance-2": path("rent-advance-2"), "/srv/rent-advance": path("rent-advance") },
  });
  const restart = async (on: number) => {
    await stops.shift()?.();
    stops.push(await start(on));
  };
  stops.push(await start(otherPort));
  await week.check(operate, "wait for 200 from 127.0.0.1:3001/api/ready", async () => {
    await restart(port);
    same(await isReady(lender.url), true, "readiness after the upgrade");
  });
  await week.check(operate, "an older version works on a newer schema", async () => {
    unlinkSync(path("rent-advance"));
    symlinkSync(image.folder, path("rent-advance"));
    await restart(otherPort);
    same(await statusOf(lender, await tokenTo(applicants(1).email)), 200, "status of a link after the way back");
  });
}

/** Restores the dump from before the upgrade on a server without the product's database users. */
async function restore({ week, admin, path, urls, serving, applicants }: LenderWithApplicants): Promise<void> {
  await admin(deploy, "pg_restore --no-owner --no-privileges --exit-on-error --dbname=<new-owner> rent-advance.dump", {
    replace: { "rent-advance.dump": path("before.dump") },
  });
  await admin(deploy, "DATABASE_URL=<new-owner> npm run migrate", { prints: /Missing: .*lender_app/ });
  const { app, operations: reading } = urlsIn(await admin(deploy, "DATABASE_URL=<new-owner> npm run roles"));
  Object.assign(urls, { "<new-app>": app, "<new-operations>": reading });
  const restored = { "npm run": `OPERATIONS_DATABASE_URL='${reading}' npm run` };
  await admin(deploy, "npm run consent -- verify", { replace: restored, prints: verified });
  await admin(deploy, "npm run evidence -- verify --against receipt.json", {
    replace: { ...restored, "receipt.json": path("receipt.json") },
  });
  await admin(deploy, "npm run --silent messages -- list --state waiting,sending", {
    replace: restored,
    ...printsRef(applicants(960)),
  });
  const port = await freePort();
  const line =
    "env -u OPERATIONS_DATABASE_URL DATABASE_URL=<new-app> APP_URL=https://apply.example WORKER=off npm start";
  const isUp = () => isReady(`http://127.0.0.1:${port}`);
  const stop = await week.start(serving(port), deploy, line, { replace: urls, isUp });
  await stop();
}

async function count({ week, path, alice, applicants }: LenderWithApplicants): Promise<void> {
  const invited = new RegExp(`^Invited\t${people}\t`, "m");
  await alice(operations, "npm run figures -- --batch spring --since 2026-03-01", { prints: invited });
  await alice(operations, "npm run --silent figures -- --by source --json", { prints: /"group":"ba"/ });
  const file = { replace: { "figures.html": path("figures.html") } };
  await alice(operations, "npm run figures -- --html figures.html", file);
  const references = path("references");
  await alice(operate, "npm run --silent export -- --columns | tail -n +2 | cut -d, -f1 > /tmp/references", {
    replace: { "/tmp/references": references },
  });
  await week.check(operate, "erase one application after the other", () => {
    const lines = readFileSync(references, "utf8").trimEnd().split("\n");
    const others = lines.filter((line) => !/^[A-Z0-9]{4}-[A-Z0-9]{4}$/.test(line));
    same(others, [], "lines that are not references");
    same(lines.length >= people, true, `a reference of each of ${people} people`);
  });
  await alice(operate, 'npm run person -- erase "$one" --by Vera', { replace: { '"$one"': applicants(3).reference } });
  await alice(operations, "npm run retention -- --months 24");
}
