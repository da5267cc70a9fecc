import { freshDatabase } from "@/__tests__/support/database";
import { reportAbout } from "@/__tests__/support/delivery-reports";
import { endings } from "@/__tests__/support/endings";
import { invited } from "@/__tests__/support/invited";
import type { MailServer } from "@/__tests__/support/mail-server";
import { ownProviders } from "@/__tests__/support/providers";
import { claim, claimOne, deliver, endLeases, finish, tokenIn } from "@/__tests__/support/sending";
import { setStatus } from "@/__tests__/support/set-status";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { emails, smsTexts } from "@/__tests__/support/template-data";
import { eraseApplication } from "@/lib/server/applications/erase";
import { applyReport } from "@/lib/server/channels/bounces/apply-report";
import { type Claimed, commercialCap } from "@/lib/server/delivery/claim";
import { cancelMessages, retryMessages } from "@/lib/server/delivery/list-messages";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { findByToken } from "@/lib/server/links/find-by-token";
import { suppress } from "@/lib/server/outbox/suppressions";
import { confirmationEmail, statusEmail } from "@/lib/server/templates/submission";
import type { MessageChannel } from "@/prisma/generated/client";

const { sql, column, untilBlocked, blockedBy, whileLocked, insertMessage, insertMessages } = freshDatabase();

const providers = ownProviders({ MESSAGES_PER_DAY: "3", STATUS_DELAY_MINUTES: "0", SMS_COUNTRIES: "61,64" });
beforeEach(async () => {
  await sql("DELETE FROM message_attempts; DELETE FROM messages; DELETE FROM suppressions");
  providers.mail.raw.length = 0;
  providers.receiver.requests.length = 0;
  providers.gateway.respondWith({ body: { id: "their-1" } });
});

const ada = { email: "ada@landlord.example", mobile: "61412345678", firstName: "Ada" };
/** Where Ada gets messages, by channel. */
const addresses = { email: ada.email, sms: ada.mobile, webhook: "" };

interface MessageFields {
  id?: string;
  kind: string;
  channel?: MessageChannel;
  recipient?: string;
  detail?: string;
}

/** Inserts a message that is due, and delivers it. */
async function send({ id, kind, channel = "email", recipient = addresses[channel], detail = "" }: MessageFields) {
  await insertMessage({ applicationId: id, kind, channel, recipient, detail });
  const claimed = await claimOne(channel);
  const delivered = await deliver(claimed);
  const [row] = await sql(`SELECT * FROM messages WHERE id = $1`, [claimed.id]);
  return { ...delivered, claimed, row };
}

async function submittedBefore() {
  const application = await submitted(ada);
  await sql("DELETE FROM messages");
  return application;
}

const linksOf = (id: string) => sql(`SELECT FROM links WHERE "applicationId" = $1`, [id]);

const headerOf = (email: Awaited<ReturnType<MailServer["read"]>>, name: string) =>
  email.headers.find(({ key }) => key === name)?.value;

test("an invitation greets its recipient, opens the application, and has an opt-out link", async () => {
  const { id, reference } = await invited(ada);
  const { outcome, reference: loggedReference, row } = await send({ id, kind: "invitation" });
  expect([outcome, loggedReference]).toEqual([{ state: "sent" }, reference]);
  const sent = { state: "sent", template: emails.invitation?.version, error: "", providerId: "" };
  expect(row).toMatchObject({ ...sent, sentAt: expect.any(Date) });
  const email = await providers.mail.read();
  expect(email.text).toContain("Hello Ada,");
  expect(email.text).toContain(`Reference: ${reference}`);
  expect(await findByToken(tokenIn(email.text), "")).toMatchObject({ row: { reference } });
  const [, code = ""] = /\/stop\?code=([\w-]{30})/.exec(email.text ?? "") ?? [];
  expect(headerOf(email, "list-unsubscribe")).toContain(`/api/messages/stop?code=${code}>`);
  const attempt = `SELECT outcome FROM message_attempts WHERE "stopHash" <> '' AND "contactedAt" <= "endedAt"`;
  expect(await column(attempt)).toEqual(["sent"]);
  const links = `SELECT detail FROM events WHERE "applicationId" = $1 AND kind = 'link_issued' ORDER BY id`;
  expect(await column(links, [id])).toEqual(["", "invitation"]);
});

test("a confirmation to the invited address says what was requested and when, and has no opt-out link", async () => {
  const { id, reference } = await submittedBefore();
  const { row } = await send({ id, kind: "confirmation" });
  expect(row?.template).toBe(confirmationEmail.version);
  const email = await providers.mail.read();
  expect(email.text).toContain("Rental advance requested: $33,650.00");
  expect(email.text).toMatch(/Received: .*20\d\d/);
  expect(await findByToken(tokenIn(email.text), "")).toMatchObject({ row: { reference } });
  expect(headerOf(email, "list-unsubscribe")).toBeUndefined();
  const days = `SELECT round(extract(epoch FROM "expiresAt" - now()) / 86400)::int FROM links WHERE "applicationId" = $1
    ORDER BY "createdAt" DESC LIMIT 1`;
  expect(await column(days, [id])).toEqual([30]);
});

test("an erased draft that was filled in again sends its messages to staff and to the address that was typed", async () => {
  const { id, reference } = await invited(ada);
  await eraseApplication(reference, "Ops");
  await fillInAndSubmit((await reissueLink(reference, { expiresDays: 30, by: "Ops" })).token);
  await sql("DELETE FROM messages");
  for (const kind of ["staff-notice", "confirmation"])
    expect((await send({ id, kind, recipient: "typed@landlord.example" })).outcome).toEqual({ state: "sent" });
});

test("a confirmation to another address, or after a revocation, has no link", async () => {
  const { id, reference } = await submittedBefore();
  await send({ id, kind: "confirmation", recipient: "typed@landlord.example" });
  await revokeLinks(reference, "Ines");
  await send({ id, kind: "confirmation" });
  for (const n of [0, 1]) expect(tokenIn((await providers.mail.read(n)).text)).toBe("");
});

test("a confirmation that arrives after the decision says nothing about what happens next", async () => {
  const { id } = await submittedBefore();
  await sql("UPDATE applications SET status = 'declined' WHERE id = $1", [id]);
  await send({ id, kind: "confirmation" });
  const { text } = await providers.mail.read();
  expect(text).toContain("Rental advance requested");
  expect(text).not.toMatch(/reviewing|What happens next/);
});

test("a status email to the invited address reports the current status and opens the application", async () => {
  const { id } = await submittedBefore();
  await sql("UPDATE applications SET status = 'approved' WHERE id = $1", [id]);
  const { row } = await send({ id, kind: "status", detail: "approved" });
  expect(row?.template).toBe(statusEmail.version);
  const { text } = await providers.mail.read();
  expect(text).toContain("Status: Approved");
  expect(await findByToken(tokenIn(text), "")).toMatchObject({ row: { id } });
});

test("a message that is cancelled before its text is written records no template", async () => {
  const { id, reference } = await invited(ada);
  await revokeLinks(reference, "Ines");
  const { outcome, reference: loggedReference, row } = await send({ id, kind: "invitation" });
  expect([outcome, loggedReference]).toEqual([{ state: "cancelled", error: "revoked" }, reference]);
  expect(row).toMatchObject({ state: "cancelled", error: "revoked", template: "", sentAt: null });
  expect(providers.mail.raw).toHaveLength(0);
});

test("staff are notified without a link to the application", async () => {
  const { id, reference } = await submittedBefore();
  await send({ id, kind: "staff-notice" });
  const { text, to } = await providers.mail.read();
  expect(to).toEqual([{ name: "", address: ada.email }]);
  expect([text?.includes(reference), tokenIn(text)]).toEqual([true, ""]);
  expect(await linksOf(id)).toHaveLength(1);
});

test("an SMS contains its reference and link, and the provider's id is stored", async () => {
  const { id, reference } = await invited(ada);
  const { row } = await send({ id, kind: "invitation", channel: "sms" });
  expect(row).toMatchObject({ state: "sent", template: smsTexts.invitation?.version, providerId: "their-1" });
  const { to, text } = JSON.parse(providers.gateway.requests[0]?.body ?? "");
  expect([to, text.includes(reference)]).toEqual(["+61412345678", true]);
  expect(tokenIn(text)).toMatch(/^.{43}$/);
});

test("an SMS to a mobile abroad also names the email address, because it cannot call an 1800 number", async () => {
  const recipient = "6421234567";
  const { id } = await invited({ ...ada, mobile: recipient });
  await send({ id, kind: "invitation", channel: "sms", recipient });
  const { text } = JSON.parse(providers.gateway.requests.at(-1)?.body ?? "");
  expect(text).toContain("1800 000 000 or email help@wattlelane.example");
});

test("a test message belongs to no application and goes out by both channels", async () => {
  const email = await send({ kind: "test", recipient: "ops@lender.example" });
  expect([email.outcome, email.reference]).toEqual([{ state: "sent" }, undefined]);
  expect(email.row?.template).toBe(emails.test?.version);
  expect((await providers.mail.read()).subject).toContain("Test message");
  const text = await send({ kind: "test", channel: "sms" });
  expect([text.outcome.state, text.row?.template]).toEqual(["sent", smsTexts.test?.version]);
});

test.each([
  ["not-you", "email"],
  ["staff-notice", "sms"],
  ["from-the-next-version", "email"],
  ["from-the-next-version", "sms"],
  ["from-the-next-version", "webhook"],
] as const)("a message without a text waits for a worker that has one: %s by %s", async (kind, channel) => {
  const { id } = await submittedBefore();
  const { outcome, row } = await send({ id, kind, channel });
  expect(outcome).toEqual({ state: "later", error: "no text" });
  expect(row).toMatchObject({ state: "waiting", error: "no text", template: "" });
  expect(providers.mail.raw.length + providers.gateway.requests.length + providers.receiver.requests.length).toBe(0);
});

test("a webhook reports each event under its message's id", async () => {
  const { id, reference } = await submittedBefore();
  await sql("UPDATE applications SET status = 'approved' WHERE id = $1", [id]);
  const webhook = { id, kind: "application.status_changed", channel: "webhook", detail: "approved" } as const;
  // The daily cap of three covers emails and SMS, not webhooks.
  for (let count = 0; count < 4; count += 1) {
    const { row, claimed } = await send(webhook);
    expect(row).toMatchObject({ state: "sent", template: "application.status_changed" });
    const { headers, body } = providers.receiver.requests[count] ?? {};
    expect(headers?.["webhook-id"]).toBe(`msg_${row?.id}`);
    expect(JSON.parse(body ?? "")).toMatchObject({
      type: "application.status_changed",
      timestamp: claimed.createdAt.toISOString(),
      data: { reference, status: "approved", sequence: Number(row?.number) },
    });
  }
  expect(await linksOf(id)).toHaveLength(1);
});

const leaseEnded: Record<string, (claimed: Claimed) => Promise<Claimed>> = {
  async "its monotonic clock"(claimed) {
    return { ...claimed, leaseEnds: performance.now() - 1 };
  },
  // A paused machine's monotonic clock stands still, so the worker also checks the wall clock.
  async "the clock of its machine"(claimed) {
    jest.spyOn(Date, "now").mockReturnValue(claimed.leaseEndsAt + 1);
    return claimed;
  },
  async "the clock of the database"(claimed) {
    await endLeases();
    const [dueAt] = await column(`SELECT "dueAt" FROM messages`);
    return { ...claimed, dueAt };
  },
};
test.each(Object.entries(leaseEnded))("a worker sends nothing once its lease has ended by %s", async (_, end) => {
  await insertMessage();
  const claimed = await claimOne();
  const { outcome } = await deliver(await end(claimed));
  jest.restoreAllMocks();
  expect([outcome.state, providers.mail.raw.length]).toEqual(["superseded", 0]);
  expect(await sql("SELECT state FROM messages")).toEqual([{ state: "sending" }]);
  // With contactedAt set, an SMS would count as perhaps sent, although no provider was contacted.
  expect(await sql(`SELECT outcome, "contactedAt" FROM message_attempts`)).toEqual([
    { outcome: "superseded", contactedAt: null },
  ]);
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test("the daily cap counts emails and SMS together, and leaves the rest for later", async () => {
  for (const hours of [1, 25]) await insertMessage({ channel: "sms", state: "sent", sentAt: hoursAgo(hours) });
  await insertMessages(3);
  expect(await claim("email", 1)).toHaveLength(1);
  expect(await claim("email", 10)).toHaveLength(1);
  expect(await claim("email", 10)).toEqual([]);
  await insertMessages(5, { kind: "link.opened", channel: "webhook" });
  // More messages than the cap are now sent, as after the cap was lowered.
  await sql(`UPDATE messages SET "sentAt" = now() WHERE channel <> 'webhook'`);
  expect(await claim("email", 10)).toEqual([]);
  expect(await claim("webhook", 4)).toHaveLength(4);
});

test("a list leaves a tenth of the daily cap, at least one message, to confirmations and other messages", async () => {
  await insertMessages(4, { kind: "invitation", dueAt: hoursAgo(1) });
  expect(await claim("email", 10)).toHaveLength(2);
  expect(await claim("email", 10)).toEqual([]);
  await insertMessage({ kind: "confirmation" });
  await insertMessage({ kind: "not-you", channel: "sms" });
  expect(await claim("email", 10)).toMatchObject([{ kind: "confirmation" }]);
  expect(await claim("sms", 10)).toEqual([]);
  expect([0, 1, 2, 3, 9, 10, 5000].map(commercialCap)).toEqual([0, 1, 1, 2, 8, 9, 4500]);
});

test("messages that a clock once dated into the future do not use up the daily cap", async () => {
  await insertMessages(3, { state: "sent", sentAt: hoursAgo(-30 * 24) });
  await insertMessage();
  expect(await claim("email", 10)).toHaveLength(1);
});

test("a message erased while being sent also counts against the daily cap", async () => {
  const { id, reference } = await invited(ada);
  await insertMessage({ applicationId: id, kind: "confirmation", recipient: ada.email, dueAt: hoursAgo(1) });
  await insertMessages(5);
  const claimed = await claimOne();
  await eraseApplication(reference, "Ines");
  expect([...(await claim("email", 10)), ...(await claim("email", 10))]).toHaveLength(2);
  await finish(claimed, { state: "sent" }, "");
  expect(await claim("email", 10)).toEqual([]);
  expect(await sql(`SELECT state, "sentAt" FROM messages WHERE id = $1`, [claimed.id])).toEqual([
    { state: "cancelled", sentAt: expect.any(Date) },
  ]);
});

test("a claim's minute starts before it waits for other workers", async () => {
  await insertMessage();
  await sql("SELECT pg_advisory_lock(7214530962)");
  const earliest = performance.now() + 60_000;
  const claiming = claim("email", 1);
  const latest = performance.now() + 60_000;
  await untilBlocked();
  await sql("SELECT pg_advisory_unlock(7214530962)");
  const [claimed] = await claiming;
  expect(claimed?.leaseEnds).toBeGreaterThanOrEqual(earliest);
  expect(claimed?.leaseEnds).toBeLessThanOrEqual(latest);
});

/** Inserts an invitation that is due, for a new application. */
async function enqueueInvitation(channel: "email" | "sms" = "email") {
  const application = await invited(ada);
  const message = { applicationId: application.id, kind: "invitation", channel, recipient: addresses[channel] };
  return { application, ...(await insertMessage(message)) };
}

const stateOf = async (id: string) => (await sql(`SELECT state, error FROM messages WHERE id = $1`, [id]))[0];
const liveLinks = (id: string) =>
  sql(`SELECT id FROM links WHERE "applicationId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > now()`, [id]);

test.each(Object.entries(endings))(
  "a message that waits for a %s of its application is not sent, and leaves no link that works",
  async (_, ending) => {
    const { application, id } = await enqueueInvitation();
    const claimed = await claimOne();
    await blockedBy(ending, [application.id], () => deliver(claimed));
    expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
    expect(await liveLinks(application.id)).toEqual([]);
    expect(providers.mail.raw).toHaveLength(0);
  },
);

test("a message that is cancelled after it was claimed is not sent", async () => {
  const { id, number } = await enqueueInvitation();
  const claimed = await claimOne();
  expect(await cancelMessages([number], "Ops")).toHaveLength(1);
  expect((await deliver(claimed)).outcome.state).toBe("superseded");
  expect(providers.mail.raw).toHaveLength(0);
  expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
});

test.each(["email", "sms"] as const)(
  "an opt-out by %s waits for an email that is about to be sent, and prevents every later one",
  async (channel) => {
    const { id } = await enqueueInvitation();
    const claimed = await claimOne();
    const optOut = () => suppress(channel, addresses[channel], "Enough", "Ops");
    await blockedBy("SELECT FROM messages WHERE id = $1 FOR UPDATE", [id], optOut);
    await deliver(claimed);
    expect(await stateOf(id)).toMatchObject({ state: "cancelled", error: "stopped" });
    expect(providers.mail.raw).toHaveLength(0);
  },
);

test.each(["sent", "unknown"] as const)(
  "an SMS that a slow worker recorded as %s after it had lost its claim is not sent again",
  async (state) => {
    const { id } = await enqueueInvitation("sms");
    const before = providers.gateway.requests.length;
    const slow = await claimOne("sms");
    await sql(`UPDATE message_attempts SET "contactedAt" = now()`);
    await endLeases();
    const suspended = await claimOne("sms");
    await endLeases();
    await finish(slow, state === "sent" ? { state } : { state, error: "ECONNRESET" }, "");
    await deliver(suspended);
    for (const next of await claim("sms", 1)) await deliver(next);
    expect(providers.gateway.requests).toHaveLength(before);
    expect(await stateOf(id)).toMatchObject({ state });
  },
);

test("an SMS that a command retries is sent, although an earlier attempt had an unknown outcome", async () => {
  const { id, number } = await enqueueInvitation("sms");
  providers.gateway.respondWith("stall");
  const cut = deliver(await claimOne("sms"));
  await providers.gateway.nextRequest();
  await providers.gateway.stop();
  await cut;
  providers.gateway = await startSmsGateway(providers.gateway.port);
  expect(await stateOf(id)).toMatchObject({ state: "unknown" });
  await retryMessages({ numbers: [number], states: [] });
  await claimOne("sms");
  await endLeases();
  await deliver(await claimOne("sms"));
  expect(await stateOf(id)).toMatchObject({ state: "sent" });
});

test("a bounce that is read before its attempt is recorded is kept: the message has failed", async () => {
  const { id } = await enqueueInvitation();
  const claimed = await claimOne();
  await applyReport(reportAbout("postfix-unknown-user", `${id}@lender.example`));
  await finish(claimed, { state: "sent", providerId: "7" }, "");
  expect(await stateOf(id)).toMatchObject({ state: "failed", error: "bounced 5.1.1" });
});

const approval = "SELECT set_application_status($1::uuid, 'approved', 'Ines', '')";

test("a message sent while a list of decisions runs is recorded at once", async () => {
  const { id } = await submittedBefore();
  await insertMessage({ applicationId: id, kind: "confirmation", recipient: ada.email });
  const claimed = await claimOne();
  const recorded = await whileLocked(approval, [id], () => {
    const recording = finish(claimed, { state: "sent" }, "");
    return Promise.race([recording.then(() => "recorded"), untilBlocked().then(() => "waits")]);
  });
  expect(recorded).toBe("recorded");
});

test("a message whose application a list of decisions locks waits unclaimed, and keeps no other from being sent", async () => {
  const { id } = await submittedBefore();
  const locked = await insertMessage({ applicationId: id, kind: "confirmation", recipient: ada.email });
  const other = await enqueueInvitation();
  await whileLocked(approval, [id], async () => {
    const claimed = await claimOne();
    expect(claimed.id).toBe(other.id);
    await deliver(claimed);
  });
  const untouched = { state: "waiting", attempts: 0 };
  expect(await sql("SELECT state, attempts FROM messages WHERE id = $1", [locked.id])).toEqual([untouched]);
  expect(await claim("email", 10)).toMatchObject([{ id: locked.id }]);
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
] as const)("a change to %s is reported if the last status email is %s", async (status, state) => {
  const { reference } = await submittedBefore();
  await setStatus(reference, "approved", { by: "Ines" });
  const killed = await claimOne();
  await sql(`UPDATE message_attempts SET "contactedAt" = now() WHERE id = $1`, [killed.attemptId]);
  const sentAt = state === "unknown" ? "now()" : "NULL";
  await sql(`UPDATE messages SET state = $1::"MessageState", "sentAt" = ${sentAt} WHERE kind = 'status'`, [state]);
  if (status === "approved") await setStatus(reference, "submitted", { by: "Ines", isSilent: true });
  expect(await setStatus(reference, status, { by: "Ines" })).toMatchObject({ emailedAt: expect.any(Date) });
});

test("a status is reported to the applicant although another address has already received it", async () => {
  const { id, reference } = await submittedBefore();
  await setStatus(reference, "approved", { by: "Ines" });
  const toAgent = { kind: "status", recipient: "agent@agency.example", detail: "approved" };
  await insertMessage({ ...toAgent, applicationId: id, state: "sent", sentAt: new Date() });
  for (const claimed of await claim("email", 10)) await deliver(claimed);
  expect(await column("SELECT state FROM messages WHERE kind = 'status'")).toEqual(["sent", "sent"]);
});

test("a message sent during an erasure is recorded without a deadlock", async () => {
  const { application, id } = await enqueueInvitation("sms");
  providers.gateway.respondWith("stall");
  const delivery = deliver(await claimOne("sms"));
  await providers.gateway.nextRequest();
  const endDelivery = () => providers.gateway.stop().then(() => delivery);
  const lock = "SELECT FROM applications WHERE id = $1 FOR UPDATE";
  await blockedBy(lock, [application.id], endDelivery, () => sql(endings.erasure, [application.id]));
  expect(await stateOf(id)).toMatchObject({ state: "cancelled" });
  expect(await sql("SELECT outcome FROM message_attempts")).toEqual([{ outcome: "unknown" }]);
  providers.gateway = await startSmsGateway(providers.gateway.port);
});

test("a status change that waits for an erasure writes no address back", async () => {
  const application = await submitted(ada);
  const set = () => setStatus(application.reference, "approved", { by: "Ines" });
  const change = await blockedBy(endings.erasure, [application.id], set);
  expect(change).toMatchObject({ before: "submitted", emailedAt: null });
  expect(await sql("SELECT kind, recipient FROM messages WHERE recipient <> ''")).toEqual([]);
});
