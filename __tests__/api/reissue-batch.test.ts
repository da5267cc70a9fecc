import { existsSync } from "node:fs";
import { verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { ownLists, printedErrors, referencesIn, rowsIn } from "@/__tests__/support/own-lists";
import { post } from "@/__tests__/support/post";
import { unreachableProviders } from "@/__tests__/support/providers";
import { claimOne, deliver } from "@/__tests__/support/sending";
import { setStatus } from "@/__tests__/support/set-status";
import { fillInAndSubmit } from "@/__tests__/support/submitted";
import { reissueBatch } from "@/lib/cli/invitations/reissue-batch";
import { createInvitations, type IssuedLink as Link } from "@/lib/server/invitations/create-invitations";
import { invitationSchema } from "@/lib/server/invitations/invitation";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { addressHash } from "@/lib/server/outbox/reachability";
import { suppress } from "@/lib/server/outbox/suppressions";

Object.assign(process.env, { ...unreachableProviders, WEBHOOK_URL: "", WEBHOOK_SECRET: "" });
Object.assign(process.env, { REMINDER_DAYS: "off", APP_URL: "https://a.example" });

const { sql, blockedBy } = freshDatabase();
const terms = { expiresDays: 30, by: "Ines" };

const { path, mobileOf, emailOf } = ownLists();
const errorLines = printedErrors();
let batch = "";
beforeEach(() => {
  batch = `batch ${mobileOf(0)}`;
});

const out = () => path("again.csv");
const reissue = (options: { send?: boolean; preview?: boolean } = {}) =>
  reissueBatch({ batch, out: out(), ...terms, ...options });

async function invite(count: number, send = false): Promise<Link[]> {
  const invitations = Array.from({ length: count }, (_, n) =>
    invitationSchema.parse({ mobile: mobileOf(n), email: emailOf(n) }),
  );
  return createInvitations(invitations, { batch, send });
}
const messages = () =>
  sql<{ reference: string; kind: string; state: string }>(
    `SELECT a.reference, m.kind, m.state FROM messages m JOIN applications a ON a.id = m."applicationId" WHERE a.batch = $1
     ORDER BY m.number`,
    [batch],
  );
const works = async (token = "") => (await post(verify, { token })).status === 200;

test("applicants who were revoked or have opted out get no link and no message; the others get an invitation", async () => {
  const [revoked, optedOutOfEmail, optedOutOfSms, ...others] = (await invite(5)) as [Link, Link, Link, ...Link[]];
  await revokeLinks(revoked.reference, "Vera");
  await suppress("email", emailOf(1).toUpperCase(), "asked us", "Vera");
  await suppress("sms", mobileOf(2), "replied STOP", "Vera");
  expect(await reissue({ send: true })).toBe(`2 links reissued; 2 are in ${out()}.`);
  const references = others.map(({ reference }) => reference).sort();
  expect(referencesIn(out()).sort()).toEqual(references);
  const sent = await messages();
  expect(sent.map(({ reference }) => reference).sort()).toEqual(references);
  expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(["invitation"]));
  expect(await sql("SELECT command, by, count FROM data_reads ORDER BY id DESC LIMIT 1")).toEqual([
    { command: "links reissue", by: terms.by, count: 2 },
  ]);
  expect(await works(revoked.token)).toBe(false);
  expect([await works(optedOutOfEmail.token), await works(optedOutOfSms.token)]).toEqual([true, true]);
  expect(errorLines).toEqual([
    `Unopened in the batch '${batch}': 5.`,
    "Skipped (links were revoked): 1.",
    "Skipped (opted out): 2.",
    "New links: 2, each sent as an invitation. Working links that they replace: 2.",
  ]);
});

test("without --send the command says how many working links it replaces, not counting those that expired or were revoked", async () => {
  const [expired, reissued] = (await invite(3)) as [Link, Link];
  await sql(updateLink("expiresAt", expired.reference));
  await reissueLink(reissued.reference, terms);
  expect(await reissue()).toBe(`3 links reissued; 3 are in ${out()}.`);
  expect(errorLines.at(-1)).toBe("New links: 3. Working links that they replace: 2.");
  expect(await messages()).toEqual([]);
});

test("a second run into the same file reports who already has a link in it", async () => {
  const [first] = await invite(2);
  await reissue();
  expect(await works(first?.token)).toBe(false);
  const emails = rowsIn(out()).map(({ email }) => email);
  expect(emails.sort()).toEqual([emailOf(0), emailOf(1)]);
  errorLines.length = 0;
  expect(await reissue()).toBe(`0 links reissued; 2 are in ${out()}.`);
  expect(errorLines.slice(0, 2)).toEqual([`Unopened in the batch '${batch}': 2.`, "Skipped (already in the file): 2."]);
});

test("a preview reports the same and changes nothing", async () => {
  const [first] = await invite(2);
  expect(await reissue({ send: true, preview: true })).toBe("Nothing was changed.");
  expect(errorLines.at(-1)).toBe("New links: 2, each sent as an invitation. Working links that they replace: 2.");
  expect([existsSync(out()), await works(first?.token), await messages()]).toEqual([false, true, []]);
});

test("a batch of more than a page is read to its end, each person once", async () => {
  await invite(501);
  await reissue({ preview: true });
  expect(errorLines).toEqual([
    `Unopened in the batch '${batch}': 501.`,
    "New links: 501. Working links that they replace: 501.",
  ]);
});

test("a person whom no message can reach is left out with --send and delays no one", async () => {
  const nobody = { answers: {}, quotes: [], source: "", expiresDays: 30, consentBasis: "" };
  await createInvitations([nobody], { batch });
  await invite(1);
  expect(await reissue({ send: true })).toContain("1 link reissued");
  expect(errorLines).toContain("Skipped (unreachable): 1.");
});

test("a batch that does not exist is an error", async () => {
  batch = "zzz";
  await expect(reissue()).rejects.toThrow("There is no batch 'zzz'.");
});

/** The command waits for this row once it has chosen its applicants. */
const lock = "SELECT FROM applications WHERE reference = $1 FOR UPDATE";
const reissueAndSend = () => reissue({ send: true });
const updateLink = (column: string, reference: string) =>
  `UPDATE links SET "${column}" = now() FROM applications a WHERE a.id = "applicationId" AND reference = '${reference}'`;
const updateApplication = (set: string, reference: string) =>
  `UPDATE applications SET ${set} WHERE reference = '${reference}'`;
/** The first of the applicants opts out. */
const optOut = () =>
  `INSERT INTO suppressions (channel, "addressHash") VALUES ('email', '${addressHash("email", emailOf(0))}')`;

test.each<[string, (reference: string) => string]>([
  ["revoked", (reference) => updateLink("revokedAt", reference)],
  ["opted out", optOut],
  ["submitted", (reference) => updateApplication(`status = 'submitted', "submittedAt" = now()`, reference)],
  ["erased", (reference) => updateApplication(`"erasedAt" = now()`, reference)],
  ["opened", (reference) => updateLink("openedAt", reference)],
])("an applicant who is %s while the command waits for the row gets no link and no message", async (_, change) => {
  const [first, other] = await invite(2);
  const reference = first?.reference ?? "";
  const result = await blockedBy(lock, [reference], reissueAndSend, () => sql(change(reference)));
  expect(result).toBe(`1 link reissued; 1 is in ${out()}. 1 link skipped, because of changes in the meantime.`);
  expect(referencesIn(out())).toEqual([other?.reference]);
  expect((await messages()).map(({ reference }) => reference)).toEqual([other?.reference]);
});

test("an opt-out after the command has chosen its applicants does not end the command", async () => {
  const [first] = await invite(2, true);
  const lockLink = `SELECT FROM links l JOIN applications a ON a.id = l."applicationId" WHERE reference = $1 FOR UPDATE OF l`;
  const result = await blockedBy(lockLink, [first?.reference], reissueAndSend, () => sql(optOut()));
  expect(result).toBe(`2 links reissued; 2 are in ${out()}.`);
  await sql(`UPDATE messages SET "dueAt" = now() - interval '1 year' WHERE recipient = $1`, [emailOf(0)]);
  expect((await deliver(await claimOne())).outcome).toEqual({ state: "cancelled", error: "stopped" });
});

test("the second of two concurrent reissues of one batch is refused with the name of who runs the first", async () => {
  const [first] = await invite(1);
  const second = () => reissueBatch({ batch, out: path("b.csv"), ...terms, by: "Vera" });
  const refuseSecond = () => expect(second()).rejects.toThrow("list run by Ines");
  const result = await blockedBy(lock, [first?.reference], reissueAndSend, refuseSecond);
  expect(result).toBe(`1 link reissued; 1 is in ${out()}.`);
});

test("a link reissued after a decision leaves the status message that still waits, and those of other people", async () => {
  const [{ reference, token }, other] = (await invite(2, true)) as [Link, Link];
  await fillInAndSubmit(token);
  await setStatus(reference, "in-review", { by: "Rui" });
  await reissueLink(reference, { ...terms, send: true });
  const waiting = (await messages()).filter(({ state }) => state === "waiting");
  const kindsOf = (of: string) => waiting.filter((row) => row.reference === of).map(({ kind }) => kind);
  expect(kindsOf(reference)).toContain("status");
  expect(kindsOf(other.reference)).toEqual(["invitation"]);
});

test("a reissued link that is sent replaces an invitation that is still waiting", async () => {
  const [{ reference }] = (await invite(1, true)) as [Link];
  await reissueLink(reference, terms);
  const states = async () => (await messages()).map(({ kind, state }) => `${kind} ${state}`);
  expect(await states()).toEqual(["invitation waiting"]);
  await reissueLink(reference, { ...terms, send: true });
  await reissue({ send: true });
  expect(await states()).toEqual(["invitation cancelled", "invitation cancelled", "invitation waiting"]);
});

test("the link of an applicant who opted out is not sent and keeps working", async () => {
  const [{ reference, token }] = (await invite(1)) as [Link];
  await suppress("email", emailOf(0), "asked us", "Vera");
  await expect(reissueLink(reference, { ...terms, send: true })).rejects.toThrow(
    `Invitations and reminders to the contact of ${reference} are stopped. Without --send, the link is only printed.`,
  );
  expect([await works(token), await messages()]).toEqual([true, []]);
  expect(await works((await reissueLink(reference, terms)).token)).toBe(true);
});
