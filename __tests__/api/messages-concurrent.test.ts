import { freshDatabase } from "@/__tests__/support/database";
import { reportAbout } from "@/__tests__/support/delivery-reports/samples";
import { invited } from "@/__tests__/support/invited";
import { startMailServer } from "@/__tests__/support/mail-server";
import { ownProviders } from "@/__tests__/support/providers";
import { claim, claimOne, deliver, finish } from "@/__tests__/support/sending";
import { setStatus } from "@/__tests__/support/set-status";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { submitted } from "@/__tests__/support/submitted";
import { applyReport } from "@/lib/server/messages/bounces/apply-report";
import { cancelMessages, retryMessages } from "@/lib/server/messages/list-messages";
import { suppress } from "@/lib/server/messages/suppressions";

const { sql, untilBlocked, heldUp, insertMessage } = freshDatabase();

const noWebhooks = { WEBHOOK_URL: "", WEBHOOK_SECRET: "" };
const providers = ownProviders({ ...noWebhooks, MESSAGES_PER_DAY: "30", STATUS_DELAY_MINUTES: "0" });
beforeEach(async () => {
  await sql("DELETE FROM message_attempts; DELETE FROM messages; DELETE FROM suppressions");
  providers.mail.raw.length = 0;
  providers.gateway.answers({});
});

const address = "ada@landlord.example";
const mobile = "61412345678";

/** Inserts a message that is due, for a new application. */
async function insertDue(kind: string, channel: "email" | "sms" = "email") {
  const application = await invited({ email: address, mobile });
  const recipient = channel === "email" ? address : mobile;
  return { application, ...(await insertMessage({ applicationId: application.id, kind, channel, recipient })) };
}

const leaseEnds = () => sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '61 seconds' WHERE state = 'sending'`);
const stateOf = async (id: string) => (await sql(`SELECT state, error FROM messages WHERE id = $1`, [id]))[0];
const liveLinks = (id: string) =>
  sql(`SELECT id FROM links WHERE "applicationId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > now()`, [id]);

const endings = {
  revocation: `WITH locked AS MATERIALIZED (SELECT id FROM applications WHERE id = $1 FOR UPDATE)
    UPDATE links SET "revokedAt" = now() FROM locked WHERE "applicationId" = locked.id`,
  erasure: "SELECT erase_applications(ARRAY[$1::uuid], 'Ops')",
};

test.each(Object.entries(endings))(
  "a message that waits for a %s of its application is not sent, and leaves no link that works",
  async (_, ending) => {
    const { application, id } = await insertDue("invitation");
    const claimed = await claimOne();
    await heldUp(ending, [application.id], () => deliver(claimed));
    expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
    expect(await liveLinks(application.id)).toEqual([]);
    expect(providers.mail.raw).toHaveLength(0);
  },
);

test.each(["email", "sms"] as const)("a suspended worker sends no %s that another worker has sent", async (channel) => {
  const { id } = await insertDue("invitation", channel);
  const suspended = await claimOne(channel);
  await leaseEnds();
  await deliver(await claimOne(channel));
  const { outcome } = await deliver(suspended);
  expect(outcome.state).toBe("superseded");
  expect(providers.mail.raw.length + providers.gateway.asked.length).toBe(1);
  expect(await stateOf(id)).toMatchObject({ state: "sent" });
});

test("a message that is cancelled after it was claimed is not sent", async () => {
  const { id, number } = await insertDue("invitation");
  const claimed = await claimOne();
  expect(await cancelMessages([number], "Ops")).toHaveLength(1);
  expect((await deliver(claimed)).outcome.state).toBe("superseded");
  expect(providers.mail.raw).toHaveLength(0);
  expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
});

test("a stop waits for a message that is about to be sent, and prevents every later one", async () => {
  const { id } = await insertDue("invitation");
  const claimed = await claimOne();
  const stop = () => suppress("email", address, "Enough", "Ops");
  await heldUp("SELECT FROM messages WHERE id = $1 FOR UPDATE", [id], stop);
  await deliver(claimed);
  expect(await stateOf(id)).toMatchObject({ state: "cancelled", error: "stopped" });
  expect(providers.mail.raw).toHaveLength(0);
});

test("an SMS whose worker was killed before it contacted the provider is sent by the next", async () => {
  const { id } = await insertDue("invitation", "sms");
  await claimOne("sms");
  await leaseEnds();
  await deliver(await claimOne("sms"));
  expect(providers.gateway.asked).toHaveLength(1);
  expect(await stateOf(id)).toMatchObject({ state: "sent" });
});

test("an SMS whose worker was killed while it contacted the provider is unknown, and not sent again", async () => {
  const { id } = await insertDue("invitation", "sms");
  providers.gateway.answers("stall");
  const killed = deliver(await claimOne("sms"));
  await providers.gateway.isAsked();
  await leaseEnds();
  await deliver(await claimOne("sms"));
  expect(providers.gateway.asked).toHaveLength(1);
  expect(await stateOf(id)).toMatchObject({ state: "unknown" });
  await providers.gateway.end();
  await killed;
  providers.gateway = await startSmsGateway(providers.gateway.port);
});

test.each(["sent", "unknown"] as const)(
  "an SMS that a slow worker recorded as %s after it had lost its claim is not sent again",
  async (state) => {
    const { id } = await insertDue("invitation", "sms");
    const asked = providers.gateway.asked.length;
    const slow = await claimOne("sms");
    await sql(`UPDATE message_attempts SET "contactedAt" = now()`);
    await leaseEnds();
    const suspended = await claimOne("sms");
    await leaseEnds();
    await finish(slow, state === "sent" ? { state } : { state, error: "ECONNRESET" }, "");
    await deliver(suspended);
    for (const next of await claim("sms", 1)) await deliver(next);
    expect(providers.gateway.asked).toHaveLength(asked);
    expect(await stateOf(id)).toMatchObject({ state });
  },
);

test("an SMS that a command retries is sent, although an earlier attempt had an unknown outcome", async () => {
  const { id, number } = await insertDue("invitation", "sms");
  providers.gateway.answers("stall");
  const cut = deliver(await claimOne("sms"));
  await providers.gateway.isAsked();
  await providers.gateway.end();
  await cut;
  providers.gateway = await startSmsGateway(providers.gateway.port);
  expect(await stateOf(id)).toMatchObject({ state: "unknown" });
  await retryMessages({ numbers: [number], states: [] });
  await claimOne("sms");
  await leaseEnds();
  await deliver(await claimOne("sms"));
  expect(await stateOf(id)).toMatchObject({ state: "sent" });
});

async function submittedBefore() {
  const application = await submitted({ email: address, mobile });
  await sql("DELETE FROM messages");
  return application;
}

test("a status that was changed and changed back is reported once", async () => {
  const { reference } = await submittedBefore();
  for (const status of ["approved", "declined", "approved"] as const) await setStatus(reference, status, { by: "Ops" });
  for (const claimed of await claim("email", 10)) await deliver(claimed);
  expect(await sql("SELECT detail, state FROM messages WHERE kind = 'status' ORDER BY number")).toEqual([
    { detail: "approved", state: "cancelled" },
    { detail: "declined", state: "cancelled" },
    { detail: "approved", state: "sent" },
  ]);
});

test("a bounce that is read before its attempt is recorded is kept: the message has failed", async () => {
  const { id } = await insertDue("invitation");
  const claimed = await claimOne();
  await applyReport(reportAbout("lhost-postfix-14", `${id}@lender.example`));
  await finish(claimed, { state: "sent", providerId: "7" }, "");
  expect(await stateOf(id)).toMatchObject({ state: "failed", error: "bounced 5.1.1" });
});

test("a message sent while a list of decisions runs is recorded at once", async () => {
  const { id } = await submittedBefore();
  await insertMessage({ applicationId: id, kind: "confirmation", recipient: address });
  const claimed = await claimOne();
  await sql("BEGIN");
  await sql("SELECT set_application_status($1::uuid, 'approved', 'Ines', '')", [id]);
  const recorded = finish(claimed, { state: "sent" }, "");
  expect(await Promise.race([recorded.then(() => "recorded"), untilBlocked().then(() => "waits")])).toBe("recorded");
  await sql("COMMIT");
});

test("messages whose application a list of decisions locks wait unclaimed, and keep no other from being sent", async () => {
  const { id } = await submittedBefore();
  const confirmation = { applicationId: id, kind: "confirmation", recipient: address };
  const locked = [await insertMessage(confirmation), await insertMessage(confirmation)];
  const other = await insertDue("invitation");
  await sql("BEGIN");
  await sql("SELECT set_application_status($1::uuid, 'approved', 'Ines', '')", [id]);
  const claimed = await claim("email", locked.length);
  expect(claimed.map((message) => message.id)).toEqual([other.id]);
  for (const message of claimed) await deliver(message);
  await sql("COMMIT");
  const untouched = { state: "waiting", attempts: 0 };
  expect(await sql("SELECT state, attempts FROM messages WHERE kind = 'confirmation'")).toEqual([untouched, untouched]);
  const later = await claim("email", 10);
  expect(later.map((message) => message.id).toSorted()).toEqual(locked.map((message) => message.id).toSorted());
});

test("a status email that was cancelled while it was being sent counts as sent: a correction is reported", async () => {
  const { reference } = await submittedBefore();
  await setStatus(reference, "approved", { by: "Ines" });
  await sql(`UPDATE messages SET state = 'cancelled', "sentAt" = now() WHERE kind = 'status'`);
  expect(await setStatus(reference, "submitted", { by: "Ines" })).toMatchObject({ emailedAt: expect.any(Date) });
});

test.each([
  ["submitted", "cancelled"],
  ["approved", "cancelled"],
  ["submitted", "unknown"],
  ["approved", "unknown"],
] as const)(
  "if the last status email may not have gone out, a change to %s is reported: it is %s",
  async (status, state) => {
    const { reference } = await submittedBefore();
    await setStatus(reference, "approved", { by: "Ines" });
    const killed = await claimOne();
    await sql(`UPDATE message_attempts SET "contactedAt" = now() WHERE id = $1`, [killed.attempt]);
    const sentAt = state === "unknown" ? "now()" : "NULL";
    await sql(`UPDATE messages SET state = $1::"MessageState", "sentAt" = ${sentAt} WHERE kind = 'status'`, [state]);
    if (status === "approved") await setStatus(reference, "submitted", { by: "Ines", isSilent: true });
    expect(await setStatus(reference, status, { by: "Ines" })).toMatchObject({ emailedAt: expect.any(Date) });
  },
);

test("a status is reported to the applicant although another address has already received it", async () => {
  const { id, reference } = await submittedBefore();
  await setStatus(reference, "approved", { by: "Ines" });
  const toAgent = { kind: "status", recipient: "agent@agency.example", detail: "approved" };
  await insertMessage({ ...toAgent, applicationId: id, state: "sent", sentAt: new Date() });
  for (const claimed of await claim("email", 10)) await deliver(claimed);
  expect(await sql("SELECT state FROM messages WHERE kind = 'status' ORDER BY number")).toEqual([
    { state: "sent" },
    { state: "sent" },
  ]);
});

test("concurrent claims together respect the daily cap", async () => {
  await sql(`INSERT INTO messages (kind, channel, recipient, "dueAt")
    SELECT 'test', (CASE WHEN n % 2 = 0 THEN 'email' ELSE 'sms' END)::"MessageChannel", n::text, now() - interval '1 second'
    FROM generate_series(1, 80) AS n`);
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, index) => claim(index % 2 === 0 ? "email" : "sms", 10)),
  );
  expect(claims.flat()).toHaveLength(30);
  expect(await claim("email", 10)).toEqual([]);
});

test("a message sent during an erasure is recorded without a deadlock", async () => {
  const { application, id } = await insertDue("invitation", "sms");
  providers.gateway.answers("stall");
  const delivery = deliver(await claimOne("sms"));
  await providers.gateway.isAsked();
  await sql("BEGIN");
  await sql("SELECT FROM applications WHERE id = $1 FOR UPDATE", [application.id]);
  await providers.gateway.end();
  await untilBlocked();
  await sql("SELECT erase_applications(ARRAY[$1::uuid], 'Ops')", [application.id]);
  await sql("COMMIT");
  await delivery;
  expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
  expect(await sql("SELECT outcome FROM message_attempts")).toEqual([{ outcome: "unknown" }]);
  providers.gateway = await startSmsGateway(providers.gateway.port);
});

test("the time at which a message was first due stays while its provider is unreachable", async () => {
  const { id } = await insertDue("invitation");
  const firstDue = () => sql(`SELECT "firstDueAt", "dueAt" > now() AS later FROM messages WHERE id = $1`, [id]);
  const [message] = await sql(`SELECT "dueAt" FROM messages WHERE id = $1`, [id]);
  await providers.mail.stop();
  await deliver(await claimOne());
  expect(await firstDue()).toEqual([{ firstDueAt: message?.dueAt, later: true }]);
  providers.mail = await startMailServer({}, providers.mail.port);
});

test("a status change that waits for an erasure writes no address back", async () => {
  const application = await submitted({ email: address, mobile });
  const set = () => setStatus(application.reference, "approved", { by: "Ines" });
  const change = await heldUp(endings.erasure, [application.id], set);
  expect(change).toMatchObject({ before: "submitted", emailedAt: null });
  expect(await sql("SELECT kind, recipient FROM messages WHERE recipient <> ''")).toEqual([]);
});
