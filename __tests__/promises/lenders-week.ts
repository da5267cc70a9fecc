import { cpSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { consent } from "@/__tests__/support/answers";
import { freePort } from "@/__tests__/support/processes/app";
import { call, steps } from "@/__tests__/support/processes/call";
import { until } from "@/__tests__/support/until";
import { same } from "./support/expect";
import { contactsList, reportsOn } from "./support/lenders-files";
import { goLive, isReady, openLenderEnvironment, type Place, pages, type Site } from "./support/lenders-place";
import { migrateOneFurther } from "./support/migrate-one-further";
import { urlsIn } from "./support/new-server";
import { promise } from "./support/world";

const { deploy, operate, operations, sending, evidence, calls } = pages;

const people = 1000;
const decided = 20;
/** The number of steps of the week. It is compared at the end, so that no step is left out. */
const planned = 95;
/** The decided applications, and the one that the operator submitted on the first day. */
const verified = new RegExp(`${decided + 1} of ${decided + 1} consent records verified`);

interface Guest {
  email: string;
  mobile: string;
  reference: string;
  token: string;
}
type Guests = (n: number) => Guest;
const withRef = ({ reference }: Guest) => ({ put: { "K7QM-4XRT": reference } });
const saysRef = ({ reference }: Guest) => ({ says: new RegExp(reference) });

promise(78, async (world) => {
  // This test's proxy has a self-signed certificate.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  world.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  const place = await openLenderEnvironment(world);
  const site = await goLive(place);
  await tryItOneself(place, site);
  const guests = await inviteMany(place, site);
  await inviteFromSystem(site);
  await applications(site, guests);
  await handleBounces(place, site, guests);
  await replaceLinks(place, site, guests);
  await read(place, site, guests);
  await decide(place, site, guests);
  await prove(place, site, guests);
  await seeAMessageWait(place, site, guests);
  await upgradeAndBack(place, site, guests);
  await restore(place, site, guests);
  await count(place, site, guests);
  const { week, server } = place;
  same(week.steps, planned, "steps");
  return `a lender's week on PostgreSQL ${server.version} behind nginx with three identities, by lines of six pages: ${people} invitations from a messy spreadsheet, bounces, corrections, ${decided} decisions by list, an upgrade and back, a restore, figures: ${week.steps} of ${planned} steps`;
});

async function save(site: Site, { email, mobile, token }: Omit<Guest, "reference">, last = 3): Promise<void> {
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

async function tryItOneself({ week, mailsTo, tokenTo }: Place, site: Site): Promise<void> {
  const { alice } = site;
  await alice(operate, "npm run messages -- test you@lender.example", { says: /sent/ });
  const [email, mobile] = ["me@lender.example", "61411111111"];
  const output = await alice(operate, "npm run invite -- --mobile … --send", {
    put: { "…": `${mobile} --email ${email}` },
  });
  const reference = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(output)?.[0] ?? "";
  await week.look(operate, "apply on a phone", async () => {
    await until(() => mailsTo(email) === 1);
    const token = await tokenTo(email);
    await save(site, { email, mobile, token });
    await submit(site, token);
    await until(() => mailsTo(email) === 2);
  });
  await alice(operations, `npm run status -- K7QM-4XRT approved --reason "Rent is proven by the ledger"`, {
    put: { "K7QM-4XRT": reference },
  });
  await week.look(operate, "and decide: each email arrives", () => until(() => mailsTo(email) === 3));
  await alice(operate, "npm run person -- erase REFERENCE", { put: { REFERENCE: reference } });
}

/** Invites people from a spreadsheet, after a version with mistakes was refused. */
async function inviteMany({ week, path, mailsTo, isAllSent }: Place, { alice }: Site): Promise<Guests> {
  const [list, links] = [path("invitations.csv"), path("links.csv")];
  const files = { "invitations.csv": list, "links.csv": links };
  const carrying = { put: { ...files, "--batch spring": `--batch spring --carry 'Customer no'` } };
  const invite = "npm run invite -- --csv invitations.csv --out links.csv --batch spring --send";
  const mistaken = contactsList(people, true);
  writeFileSync(list, mistaken.file);
  await alice(sending, `${invite} --preview`, { put: files, code: 1, says: /--carry 'Customer no'/ });
  const refused = await alice(sending, `${invite} --preview`, { ...carrying, code: 1 });
  await week.look(
    operations,
    "If a row is wrong, no link is created, and the command lists the rows by their numbers in the spreadsheet.",
    () => {
      for (const row of mistaken.rows) same(new RegExp(`row ${row}:`).test(refused), true, `row ${row} in ${refused}`);
    },
  );
  const { file, emails } = contactsList(people, false);
  writeFileSync(list, file);
  await alice(sending, `${invite} --preview`, carrying);
  await alice(sending, invite, { ...carrying, says: new RegExp(`^${people.toLocaleString("en")} links issued`, "m") });
  await alice(sending, invite, { ...carrying, says: /^0 links issued/m });
  await week.look(sending, "each invitation is sent once", async () => {
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

async function inviteFromSystem({ alice, url }: Site): Promise<void> {
  const printed = await alice(operations, "npm run --silent keys -- create --name crm --by Ines");
  const key = /^\S{30,}$/m.exec(printed)?.[0] ?? "";
  const replacements = { "https://apply.example/": `${url}/`, curl: "curl --silent --insecure", $KEY: key };
  const lines = readFileSync(calls, "utf8").match(/^curl .*\/invitations.*$/gm) ?? [];
  const [create = "", look = ""] = lines;
  const created = await alice(calls, create, {
    put: { ...replacements, "0412 345 678": "0499 345 678" },
    says: /"success":true/,
  });
  const reference = /"reference":"([^"]+)"/.exec(created)?.[1] ?? "";
  await alice(calls, look, { put: { ...replacements, "K7QM-4XRT": reference }, says: /"status":"draft"/ });
  await alice(operations, "npm run keys -- list", { says: /crm/ });
  await alice(operations, "npm run keys -- revoke crm");
}

/** Some guests submit, some stop after step 2, and some only open their link. */
async function applications(site: Site, guests: Guests): Promise<void> {
  for (let n = 0; n < decided + 10; n += 1) {
    const guest = guests(n);
    same(await statusOf(site, guest.token), 200, "status of a link");
    if (n < decided + 5) await save(site, guest, n < decided ? 3 : 2);
    if (n < decided) await submit(site, guest.token, { ...consent, provideSelf: n < 3, authoriseAgent: n >= 3 });
  }
}

async function handleBounces({ week, path, mail, mailsTo, tokenTo }: Place, site: Site, guests: Guests): Promise<void> {
  const { alice } = site;
  const [bounced, bouncedToo, full, complaining] = [guests(900), guests(901), guests(902), guests(903)];
  const recipients = [bounced, bouncedToo, full, complaining].map(({ email }) => email);
  writeFileSync(path("reports"), reportsOn(recipients, mail));
  await alice(sending, "npm run messages -- bounces /var/mail/reports", {
    put: { "/var/mail/reports": path("reports") },
  });
  const failed = await alice(sending, "npm run --silent messages -- list --state failed,unknown");
  const errors = failed.match(/bounced 5\.1\.1|undelivered 5\.2\.2/g)?.sort();
  same(
    errors,
    ["bounced 5.1.1", "bounced 5.1.1", "undelivered 5.2.2"],
    "what failed: the forged report changes nothing",
  );
  for (const [{ email }, says] of [
    [bounced, /bounced 5\.1\.1/],
    [complaining, /a complaint/],
  ] as const)
    await alice(sending, "npm run suppressions -- check", { put: { check: `check ${email}` }, says });
  await alice(operations, "npm run applications -- contact K7QM-4XR9 --email alex@mail.example", {
    put: { "K7QM-4XR9": bounced.reference, "alex@mail.example": "right@mail.example" },
    says: /token=/,
  });
  await alice(operations, "npm run applications -- contact K7QM-4XR9 --mobile 0412345670 --send --allow-duplicates", {
    put: { "K7QM-4XR9": bouncedToo.reference, "--mobile 0412345670": "--email next@mail.example" },
  });
  await week.look(operations, "This revokes the old links and issues a new one to the same application.", async () => {
    await until(() => mailsTo("next@mail.example") === 1);
    const tokens = [bounced.token, bouncedToo.token, await tokenTo("next@mail.example")];
    const statuses = await Promise.all(tokens.map((token) => statusOf(site, token)));
    same(statuses, [401, 401, 200], "statuses of the old links and the new one");
  });
}

async function replaceLinks({ week, path, mailsTo, isAllSent }: Place, site: Site, guests: Guests): Promise<void> {
  const { alice } = site;
  const [revoked, renewed, stopped] = [guests(910), guests(911), guests(912)];
  await alice(operations, "npm run links -- revoke K7QM-4XRT", withRef(revoked));
  await week.look(operations, "revokes every link of an application. It takes effect on the next call.", async () =>
    same(await statusOf(site, revoked.token), 401, "status of a revoked link"),
  );
  await alice(operations, "npm run links -- reissue K7QM-4XRT", { ...withRef(renewed), says: /token=/ });
  await alice(sending, "npm run suppressions -- add 0412345678 --by Vera", { put: { "0412345678": stopped.email } });
  const reissue = "npm run links -- reissue --batch spring --unopened --out again.csv --send --preview";
  const again = { "again.csv": path("again.csv") };
  await alice(sending, reissue, { put: again });
  await alice(sending, reissue, { put: { ...again, " --preview": "" } });
  await week.look(operations, "except people whose links were revoked or who have opted out", async () => {
    await until(isAllSent);
    same(
      [revoked, stopped, guests(950)].map(({ email }) => mailsTo(email)),
      [1, 1, 2],
      "emails to them, and to others",
    );
  });
}

async function read({ week, path, urls }: Place, { alice, desk }: Site, guests: Guests): Promise<void> {
  const port = String(await freePort());
  const stop = await week.start(desk, operate, "npm run studio -- --port 5556 --by Alice", {
    put: { "npm run": `OPERATIONS_DATABASE_URL='${urls["<operations>"]}' npm run`, "5556": port },
    isUp: (output) => output.includes(`http://127.0.0.1:${port}/`),
  });
  await stop();
  const list = "npm run --silent applications -- list";
  const [first, halfway] = [guests(0), guests(decided)];
  await alice(operations, `${list} --batch spring --unopened --sort name`, { says: /Söderberg/ });
  await alice(operations, `${list} --opened --step 3`, saysRef(halfway));
  await alice(operations, `${list} --documents self`, saysRef(first));
  await alice(operations, `${list} --duplicate`);
  await alice(operations, "npm run --silent applications -- find 0412 345 678", {
    put: { "0412 345 678": "oconnor" },
    says: /O’Connor/,
  });
  await alice(operations, "npm run --silent applications -- show K7QM-4XRT", { ...withRef(first), says: /submitted/ });
  await alice(
    operations,
    `npm run applications -- note K7QM-4XRT "Called on Monday, will send the lease"`,
    withRef(first),
  );
  await alice(operations, "npm run applications -- take K7QM-4XRT --by Ines", withRef(first));
  await alice(operations, `${list} --taken-by Ines`, saysRef(first));
  await alice(operations, "npm run applications -- release K7QM-4XRT --by Ines", withRef(first));
  await alice(operations, "npm run --silent person -- export K7QM-4XRT", { ...withRef(first), says: /"consent/ });
  await alice(operations, "npm run person -- export K7QM-4XRT --html K7QM-4XRT.html", {
    put: { "--html K7QM-4XRT.html": `--html ${path("person.html")}`, ...withRef(first).put },
  });
  await alice(operate, "npm run export -- --columns --out /safe/applications.csv", {
    put: { "/safe/applications.csv": path("applications.csv") },
  });
}

/** Sets decisions from a list. A list with a wrong row sets none of them. */
async function decide({ week, path, mailsTo }: Place, { alice }: Site, guests: Guests): Promise<void> {
  const file = path("decisions.csv");
  const put = { "decisions.csv": file };
  const all = Array.from({ length: decided }, (_, n) => guests(n));
  const rows = all.map(({ reference }, n) => `${reference},${n % 4 ? "approved" : "declined"},Checked`);
  const write = (...further: string[]) =>
    writeFileSync(file, ["reference,status,reason", ...rows, ...further].join("\n"));
  const set = "npm run status -- --csv decisions.csv --by Ines";
  write(`${guests(950).reference},approved,`);
  await alice(operations, set, { put, code: 1, says: new RegExp(`row ${decided + 2}`) });
  await alice(operations, "npm run --silent applications -- list --status submitted --since today", saysRef(guests(1)));
  write();
  await alice(operations, "npm run status -- --csv decisions.csv --preview", { put });
  await alice(operations, set, { put });
  await week.look(sending, "an email when the status changes", () => until(() => mailsTo(guests(1).email) === 3));
  await alice(operations, "npm run status -- K7QM-4XRT in-review --no-message", withRef(guests(2)));
  await alice(sending, "npm run webhooks -- replay --since 2026-11-01 --dry-run", { says: /\d/ });
}

async function prove({ week, path, env, tokenTo }: Place, site: Site, guests: Guests): Promise<void> {
  const { alice } = site;
  await alice(operations, "npm run consent -- verify", { says: verified });
  const receipt = path("receipt.json");
  await week.look(evidence, "It can be downloaded as JSON with the whole record", async () => {
    const token = await tokenTo(guests(1).email);
    const { body } = await call(site, "receipt", { token });
    same(Boolean(body.data?.leaf), true, "leaf of a receipt");
    writeFileSync(receipt, JSON.stringify(body.data));
  });
  await alice(evidence, "npm run evidence -- verify --against receipt.json head.json", {
    put: { "receipt.json head.json": receipt },
  });
  const folder = path("evidence");
  await alice(operate, "npm run evidence -- export /safe/evidence", { put: { "/safe/evidence": folder } });
  await week.run({ folder, env }, evidence, "node evidence-verify.mjs receipt.json evidence-log.json", {
    put: { "receipt.json": receipt },
  });
}

/** Stops the worker and one of the two processes, and leaves one message waiting. */
async function seeAMessageWait({ week }: Place, site: Site, guests: Guests): Promise<void> {
  await week.look(operate, "stop the worker while a message waits", async () => {
    await site.stopWorker();
    await site.stops.pop()?.();
    same(await isReady(site.url), true, "readiness through nginx with one process");
    await site.alice(sending, "npm run links -- reissue K7QM-4XRT --send", withRef(guests(960)));
    const due = /^rent_advance_oldest_message_due_seconds (\S+)/m;
    await until(async () => Number(due.exec(await site.metrics())?.[1]) > 1);
  });
}

async function upgradeAndBack(place: Place, site: Site, guests: Guests): Promise<void> {
  const { week, admin, path, server, image, tokenTo } = place;
  const [port, otherPort] = site.ports;
  await admin(operate, "pg_dump --format=custom --file=before.dump <owner>", {
    put: { "before.dump": path("before.dump") },
  });
  cpSync(image.folder, path("rent-advance-2"), { recursive: true });
  await week.look(operate, "the old version keeps working", async () => {
    await migrateOneFurther(server.owner);
    same(await statusOf(site, await tokenTo(guests(1).email)), 200, "status of a link meanwhile");
  });
  await admin(operate, "DATABASE_URL=<owner> npm run roles");
  await admin(operate, "ln -sfn /srv/rent-advance-2 /srv/rent-advance", {
    put: { "/srv/rent-advance-2": path("rent-advance-2"), "/srv/rent-advance": path("rent-advance") },
  });
  const restart = async (on: number) => {
    await site.stops.shift()?.();
    site.stops.push(await site.start(on));
  };
  site.stops.push(await site.start(otherPort));
  await week.look(operate, "wait for 200 from 127.0.0.1:3001/api/ready", async () => {
    await restart(port);
    same(await isReady(site.url), true, "readiness after the upgrade");
  });
  await week.look(operate, "an older version works on a newer schema", async () => {
    unlinkSync(path("rent-advance"));
    symlinkSync(image.folder, path("rent-advance"));
    await restart(otherPort);
    same(await statusOf(site, await tokenTo(guests(1).email)), 200, "status of a link after the way back");
  });
}

/** Restores the dump from before the upgrade on a server without the product's database users. */
async function restore({ week, admin, path, urls }: Place, site: Site, guests: Guests): Promise<void> {
  await admin(deploy, "pg_restore --no-owner --no-privileges --exit-on-error --dbname=<new-owner> rent-advance.dump", {
    put: { "rent-advance.dump": path("before.dump") },
  });
  await admin(deploy, "DATABASE_URL=<new-owner> npm run migrate", { says: /Missing: .*lender_app/ });
  const { app, operations: reading } = urlsIn(await admin(deploy, "DATABASE_URL=<new-owner> npm run roles"));
  Object.assign(urls, { "<new-app>": app, "<new-operations>": reading });
  const restored = { "npm run": `OPERATIONS_DATABASE_URL='${reading}' npm run` };
  await admin(deploy, "npm run consent -- verify", { put: restored, says: verified });
  await admin(deploy, "npm run evidence -- verify --against receipt.json", {
    put: { ...restored, "receipt.json": path("receipt.json") },
  });
  await admin(deploy, "npm run --silent messages -- list --state waiting,sending", {
    put: restored,
    ...saysRef(guests(960)),
  });
  const port = await freePort();
  const line = "DATABASE_URL=<new-app> APP_URL=https://apply.example WORKER=off npm start";
  const isUp = () => isReady(`http://127.0.0.1:${port}`);
  const stop = await week.start(site.serving(port), deploy, line, { put: urls, isUp });
  await stop();
}

async function count({ path }: Place, { alice }: Site, guests: Guests): Promise<void> {
  const invited = new RegExp(`^Invited\t${people}\t`, "m");
  await alice(operations, "npm run figures -- --batch spring --since 2026-03-01", { says: invited });
  await alice(operations, "npm run --silent figures -- --by source --json", { says: /"group":"ba"/ });
  await alice(operations, "npm run figures -- --html figures.html", { put: { "figures.html": path("figures.html") } });
  await alice(operate, "npm run --silent messages -- list --json > /safe/messages.json", {
    put: { "/safe/messages.json": path("messages.json") },
  });
  await alice(operate, 'npm run person -- erase "$one" --by Vera', { put: { '"$one"': guests(3).reference } });
  await alice(operations, "npm run retention -- --months 24");
}
