import { landlord } from "@/__tests__/support/answers";
import { saveLandlord } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { endings } from "@/__tests__/support/endings";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { unreachableProviders } from "@/__tests__/support/providers";
import { readinessCache } from "@/__tests__/support/readiness-cache";
import { claimFor, contextOf, mintLink } from "@/__tests__/support/sending";
import { reportFigure } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { until } from "@/__tests__/support/until";
import { withSettings } from "@/__tests__/support/with-settings";
import { POST as freshLink } from "@/app/api/v1/user/fresh-link/route";
import { eraseApplication, eraseOld } from "@/lib/server/applications/erase";
import { prisma } from "@/lib/server/db/client";
import { answerFreshLinkRequests } from "@/lib/server/delivery/fresh-link";
import { startWorker } from "@/lib/server/delivery/worker";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { makeToken } from "@/lib/server/links/token";
import { suppress } from "@/lib/server/outbox/suppressions";
import { currentSettings } from "@/lib/server/settings";

Object.assign(process.env, unreachableProviders);
const { sql, appUrl, blockedBy, whileLocked, withoutTable } = freshDatabase();

const contact = { email: "grace@example.com", mobile: "61412345678" };
const endCache = readinessCache();
let network = 0;
const newClient = () => ({ headers: { "x-forwarded-for": `198.51.${Math.floor(++network / 250)}.${network % 250}` } });

const expire = (id: string) =>
  sql(`UPDATE links SET "expiresAt" = now() - interval '1 second' WHERE "applicationId" = $1`, [id]);
const messages = (id: string) =>
  sql(`SELECT kind, channel, recipient, state FROM messages WHERE "applicationId" = $1 AND kind = 'fresh-link'`, [id]);
/** Moves everything that has happened to the application back by an interval. */
async function age(id: string, by: string): Promise<void> {
  await sql(`UPDATE messages SET "createdAt" = "createdAt" - $2::interval WHERE "applicationId" = $1`, [id, by]);
  await sql(`UPDATE applications SET "updatedAt" = "updatedAt" - $2::interval WHERE id = $1`, [id, by]);
}

/** One round of the worker. */
const answerRequests = () => answerFreshLinkRequests(prisma());
const requests = () => sql("SELECT FROM fresh_link_requests");
const lock = "SELECT FROM applications WHERE id = $1 FOR UPDATE";

async function ask(token: string) {
  const response = await post(freshLink, { token }, newClient());
  await answerRequests();
  return response;
}

async function inviteExpired(contacts = contact) {
  const invitation = await invited(contacts);
  await expire(invitation.id);
  return invitation;
}

const toEmail = { kind: "fresh-link", channel: "email", recipient: contact.email, state: "waiting" };

test("an expired link sends one message, to the invited address", async () => {
  const { id, token } = await inviteExpired();
  const { status, body } = await ask(token);
  expect([status, body]).toEqual([202, { success: true, message: expect.stringContaining("If the link was ours") }]);
  expect(await messages(id)).toEqual([toEmail]);
});

test("a fresh link never goes to an address typed into the form", async () => {
  const { id, token } = await invited({ mobile: contact.mobile });
  await post(saveLandlord, { token, data: { ...landlord, email: "thief@example.com" } });
  await expire(id);
  await ask(token);
  expect(await messages(id)).toEqual([{ ...toEmail, channel: "sms", recipient: contact.mobile }]);
});

test("a fresh link goes by SMS if email is not set up, and is not sent if SMS is not set up either", async () => {
  const [first, second] = [await inviteExpired(), await inviteExpired()];
  const sending = { ...currentSettings().sending, email: undefined };
  await withSettings({ sending }, () => ask(first.token));
  await withSettings({ sending: { ...sending, sms: undefined } }, () => ask(second.token));
  expect(await messages(first.id)).toEqual([{ ...toEmail, channel: "sms", recipient: contact.mobile }]);
  expect(await messages(second.id)).toEqual([]);
});

test("a submitted application gets a fresh link too, which leads to the receipt", async () => {
  const { id, token } = await submitted(contact);
  await expire(id);
  await ask(token);
  expect(await messages(id)).toEqual([toEmail]);
});

test.each<[string, (invitation: Awaited<ReturnType<typeof inviteExpired>>) => Promise<unknown>]>([
  [
    "for a link that works",
    ({ id }) => sql(`UPDATE links SET "expiresAt" = now() + interval '1 day' WHERE "applicationId" = $1`, [id]),
  ],
  [
    "where the invitation names no contact",
    ({ id }) => sql(`UPDATE applications SET "invitedEmail" = '', "invitedMobile" = '' WHERE id = $1`, [id]),
  ],
  ["once operations have revoked the links", ({ reference }) => revokeLinks(reference, "Ines")],
  [
    "for an expired link whose successor operations have revoked",
    async ({ id, reference }) => {
      await sql(`INSERT INTO links ("applicationId", "createdAt", "expiresAt")
        VALUES ('${id}', now() + interval '1 second', now() + interval '1 day')`);
      await revokeLinks(reference, "Ines");
    },
  ],
  ["for an erased application", ({ reference }) => eraseApplication(reference, "Vera")],
])("nothing is sent %s", async (_, change) => {
  const invitation = await inviteExpired();
  await change(invitation);
  await ask(invitation.token);
  expect(await messages(invitation.id)).toEqual([]);
});

test("after two simultaneous reissues, the link that was not revoked gets a fresh one, whichever is older", async () => {
  const { id, reference } = await invited(contact);
  const { token } = await reissueLink(reference, { expiresDays: 1, by: "Ines" });
  await sql(`UPDATE links SET "createdAt" = now() + interval '1 second' WHERE "revokedAt" IS NOT NULL`);
  await expire(id);
  await ask(token);
  expect(await messages(id)).toEqual([toEmail]);
});

test("an applicant gets one fresh link a day, and five until the applicant or the lender acts", async () => {
  const { id, token, reference } = await inviteExpired();
  const askDaily = async (days: number, asToken = token) => {
    for (let day = 0; day < days; day += 1) {
      await age(id, "1 day");
      await ask(asToken);
    }
  };
  await ask(token);
  await age(id, "23 hours");
  await ask(token);
  expect(await messages(id)).toHaveLength(1);
  await age(id, "1 hour");
  await ask(token);
  expect(await messages(id)).toHaveLength(2);
  await askDaily(14);
  expect(await messages(id)).toHaveLength(5);

  const reissued = await reissueLink(reference, { expiresDays: 1, by: "Ines" });
  await post(saveLandlord, { token: reissued.token, data: landlord });
  await expire(id);
  await askDaily(14, reissued.token);
  expect(await messages(id)).toHaveLength(10);
  reportFigure(47, "one message a day, five in all, until the applicant or the lender does something");
});

test("retention leaves an old application until the fresh link that its landlord requested has expired", async () => {
  const { id, token } = await inviteExpired();
  await age(id, "25 months");
  await ask(token);
  const message = await claimFor(id, "fresh-link");
  const context = await contextOf(message);
  if (!context) throw new Error("The message has no application");
  await mintLink(message, context);
  await sql(`UPDATE messages SET state = 'sent' WHERE "applicationId" = $1`, [id]);
  expect(await eraseOld("draft", 24, "")).toBe(0);
  await expire(id);
  expect(await eraseOld("draft", 24, "")).toBe(1);
});

test("retention leaves an old application whose fresh link is still to be sent, or is sent while retention waits", async () => {
  const { id, token } = await inviteExpired();
  await age(id, "25 months");
  await ask(token);
  expect(await eraseOld("draft", 24, "")).toBe(0);
  await sql(`UPDATE messages SET state = 'sent' WHERE "applicationId" = $1`, [id]);
  const issue = `WITH link AS (
      INSERT INTO links ("applicationId", "expiresAt") VALUES ($1, now() + interval '30 days') RETURNING id
    ) INSERT INTO events ("applicationId", "linkId", kind, detail) SELECT $1, id, 'link_issued', 'fresh-link' FROM link`;
  const lockDraft = "SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE";
  const erase = () => eraseOld("draft", 24, "");
  expect(await blockedBy(lockDraft, [id], erase, () => sql(issue, [id]))).toBe(0);
});

test("a fresh link that was cancelled unsent can be requested again at once", async () => {
  const { id, token } = await inviteExpired();
  await ask(token);
  await sql(`UPDATE messages SET state = 'cancelled' WHERE "applicationId" = $1`, [id]);
  await ask(token);
  expect(await messages(id)).toContainEqual(toEmail);
});

test.each([
  ["email", "opted.out@example.com"],
  ["sms", "61412345670"],
] as const)("a recipient who opted out by %s gets no messages, through either channel", async (channel, address) => {
  const { id, token } = await inviteExpired({ email: "Opted.Out@example.com", mobile: "61412345670" });
  await suppress(channel, address, "opted out through a message", "");
  await ask(token);
  expect(await messages(id)).toEqual([]);
  await sql("DELETE FROM suppressions");
});

describe("a request that waits for a concurrent change", () => {
  /** Answers a request while a transaction with this statement is open, and commits the transaction afterwards. */
  async function askWhile(statement: string, id: string, token: string) {
    expect((await post(freshLink, { token }, newClient())).status).toBe(202);
    await blockedBy(statement, [id], answerRequests);
  }

  test.each(Object.entries(endings))("nothing is sent, since the %s comes first", async (ending, statement) => {
    const email = `${ending}@example.com`;
    const { id, token } = await inviteExpired({ ...contact, email });
    await askWhile(statement, id, token);
    expect(await messages(id)).toEqual([]);
    expect(await sql("SELECT FROM messages WHERE recipient = $1", [email])).toEqual([]);
  });

  test("the fresh link goes to the address that operations corrected meanwhile", async () => {
    const { id, token } = await inviteExpired();
    await askWhile(`UPDATE applications SET "invitedEmail" = 'new@example.com' WHERE id = $1`, id, token);
    expect(await messages(id)).toEqual([{ ...toEmail, recipient: "new@example.com" }]);
  });
});

test("a request whose connection breaks while it waits for the application is answered later", async () => {
  const { id, token } = await inviteExpired();
  expect((await post(freshLink, { token }, newClient())).status).toBe(202);
  const terminate =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))";
  await expect(blockedBy(lock, [id], answerRequests, () => sql(terminate))).rejects.toThrow();
  expect(await messages(id)).toEqual([]);
  await answerRequests();
  expect(await messages(id)).toEqual([toEmail]);
  expect(await requests()).toEqual([]);
});

test("a request for an application that stays locked is answered later, and holds up no other", async () => {
  const [free, locked] = [await inviteExpired(), await inviteExpired()];
  for (const { token } of [free, locked]) await post(freshLink, { token }, newClient());
  // Long enough for the statements about the other application.
  const limited = () => withSettings({ DATABASE_TIMEOUT_MS: 1000 }, answerRequests);
  await expect(whileLocked(lock, [locked.id], limited)).rejects.toThrow("statement timeout");
  expect([await messages(free.id), await messages(locked.id)]).toEqual([[toEmail], []]);
  await answerRequests();
  expect([await messages(free.id), await messages(locked.id)]).toEqual([[toEmail], [toEmail]]);
});

test("a request that no worker has answered yet is answered by the next one", async () => {
  const { id, token } = await inviteExpired();
  await post(freshLink, { token }, newClient());
  const worker = startWorker(appUrl, { spacingMs: 0 });
  await until(async () => (await messages(id)).length > 0);
  await worker.stop();
  expect(await messages(id)).toHaveLength(1);
  expect(await requests()).toEqual([]);
});

// The application is locked before all other reads, so that the second request sees the message of the first.
test("a hundred simultaneous requests and two workers send one message", async () => {
  const { id, token } = await inviteExpired();
  await Promise.all(Array.from({ length: 100 }, () => post(freshLink, { token }, newClient())));
  await Promise.all([answerRequests(), answerRequests()]);
  expect(await requests()).toEqual([]);
  await ask(token);
  expect(await messages(id)).toEqual([toEmail]);
  reportFigure(47, "100 requests at once for one application: 1 message, to the invited address");
});

test("two workers that take the same request send one message", async () => {
  const { id, token } = await inviteExpired();
  await post(freshLink, { token }, newClient());
  await blockedBy(lock, [id], () => Promise.all([answerRequests(), answerRequests()]));
  expect(await messages(id)).toEqual([toEmail]);
});

test("a worker takes a hundred requests at a time, unknown ones as well, and none once it stops", async () => {
  await sql(
    `INSERT INTO fresh_link_requests ("tokenHash") SELECT sha256(n::text::bytea) FROM generate_series(1, 101) AS n`,
  );
  await answerFreshLinkRequests(prisma(), AbortSignal.abort());
  expect(await requests()).toHaveLength(101);
  await answerRequests();
  expect(await requests()).toHaveLength(1);
  await answerRequests();
  expect(await requests()).toEqual([]);
});

test("every token gets the same response: unknown, live, expired, revoked, erased, submitted", async () => {
  const [live, expired] = [await invited(contact), await inviteExpired()];
  const [revoked, erased, done] = [await invited(contact), await invited(contact), await submitted(contact)];
  await expire(done.id);
  await revokeLinks(revoked.reference, "Ines");
  await eraseApplication(erased.reference, "Vera");
  const responses = [];
  for (const token of [makeToken(), ...[live, expired, revoked, erased, done].map((link) => link.token)]) {
    const { status, body, headers } = await post(freshLink, { token }, newClient());
    const otherHeaders = [...headers].filter(([name]) => name !== "x-request-id");
    responses.push(JSON.stringify({ status, body, otherHeaders }));
  }
  expect(new Set(responses).size).toBe(1);
  expect(await requests()).toHaveLength(6);
  await answerRequests();
  expect(await requests()).toEqual([]);
  expect(await messages(expired.id)).toEqual([toEmail]);
});

/** Asks once from each address, with a valid token every other time. */
async function statusesFrom(addresses: string[]) {
  const { token } = await inviteExpired();
  const statuses = [];
  for (const [n, address] of addresses.entries()) {
    const from = { headers: { "x-forwarded-for": address } };
    statuses.push((await post(freshLink, { token: n % 2 ? token : makeToken() }, from)).status);
  }
  return statuses;
}

test("the networks of one IPv6 /48 may ask forty times in ten minutes", async () => {
  const networks = Array.from({ length: 42 }, (_, n) => `2001:db8:48:${n.toString(16)}::1`);
  expect(await statusesFrom(networks)).toEqual([...Array(40).fill(202), 429, 429]);
});

test("a network may ask ten times in ten minutes, whatever the tokens", async () => {
  const address = "203.0.113.200";
  expect(await statusesFrom(Array(12).fill(address))).toEqual([...Array(10).fill(202), 429, 429]);
  const { headers } = await post(freshLink, { token: makeToken() }, { headers: { "x-forwarded-for": address } });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
});

test("the response does not promise a link that the database has not stored", async () => {
  const { token } = await inviteExpired();
  await post(freshLink, { token }, newClient());
  const limited = () => withSettings({ DATABASE_TIMEOUT_MS: 100 }, () => post(freshLink, { token }, newClient()));
  const { status, headers } = await whileLocked("LOCK TABLE fresh_link_requests", [], limited);
  expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
});

test("the response does not promise a link while calls would fail", async () => {
  endCache();
  const ask = () => post(freshLink, { token: makeToken() }, newClient());
  const { status, headers } = await withoutTable("links", ask);
  expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
});

test.each([
  ["a link that was cut short", "abc"],
  ["no token", undefined],
  ["a number", 7],
])("%s gets a refusal, since no fresh link can follow from it", async (_, token) => {
  const { status, body } = await post(freshLink, { token }, newClient());
  expect([status, body.message]).toEqual([422, "This link isn't complete. Please open it again from our message."]);
});
