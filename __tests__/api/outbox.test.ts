import { agent, consent, wholeApplication } from "@/__tests__/support/answers";
import { submitFinal, submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { unreachableProviders } from "@/__tests__/support/providers";
import { claimFor, deliver } from "@/__tests__/support/sending";
import { setStatus } from "@/__tests__/support/set-status";
import { reportFigure, size } from "@/__tests__/support/size";
import { filledIn, submitted } from "@/__tests__/support/submitted";
import { withSettings } from "@/__tests__/support/with-settings";
import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { retryMessages } from "@/lib/server/delivery/list-messages";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { preferredContact } from "@/lib/server/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";

Object.assign(process.env, {
  ...unreachableProviders,
  SANDBOX_RECIPIENTS: "*",
  STAFF_EMAILS: "ops@lender.example, loans@lender.example, ops@lender.example",
  AGENT_NOTICE: "1",
  REMINDER_DAYS: "3,7",
});

const { sql } = freshDatabase();
const invitation = { mobile: "61412345678", email: "invited@landlord.example" };

const messages = `SELECT kind, channel, recipient, detail FROM messages
  WHERE "applicationId" = $1 AND kind <> 'link.opened' ORDER BY number`;
const messagesOf = (id: string) => sql(messages, [id]);
const channelsOf = async (id: string) => (await messagesOf(id)).map(({ channel }) => channel);

/** Runs `work` while these channels are not configured. */
function without(channels: ("email" | "sms")[], work: () => Promise<void>): Promise<void> {
  const unset = Object.fromEntries(channels.map((channel) => [channel, undefined]));
  return withSettings({ sending: { ...currentSettings().sending, ...unset } }, work);
}

test("an invitation goes by email where there is an address and a server, else by SMS, else not at all", async () => {
  const byEmail = { channel: "email", recipient: invitation.email };
  const bySms = { channel: "sms", recipient: invitation.mobile };
  expect(preferredContact(invitation.email, invitation.mobile)).toEqual(byEmail);
  expect(preferredContact("", invitation.mobile)).toEqual(bySms);
  expect(preferredContact("", "")).toBeNull();
  const outsideSmsCountries = "447911123456";
  expect(preferredContact("", outsideSmsCountries)).toBeNull();
  await without(["email"], async () => {
    expect(preferredContact(invitation.email, invitation.mobile)).toEqual(bySms);
    expect(preferredContact(invitation.email, "")).toBeNull();
  });
  await without(["sms"], async () => expect(preferredContact("", invitation.mobile)).toBeNull());
});

test("an invitation is due at once, and its reminders days later", async () => {
  await sql("DELETE FROM messages");
  const terms = { quotes: [], source: "ba", expiresDays: 30, consentBasis: "" };
  await createInvitations([{ answers: invitation, ...terms }], { send: true, by: "Ines" });
  const written = await sql(
    `SELECT kind, channel, recipient, detail, by, "dueAt" <= now() AS now,
       round(extract(epoch FROM "dueAt" - min("dueAt") OVER ()) / 86400)::int AS day FROM messages ORDER BY number`,
  );
  const common = { channel: "email", recipient: invitation.email, by: "Ines" };
  expect(written).toEqual([
    { ...common, kind: "invitation", detail: "", day: 0, now: true },
    { ...common, kind: "reminder", detail: "day 3", day: 3, now: false },
    { ...common, kind: "reminder", detail: "day 7", day: 7, now: false },
  ]);
});

test("a submission and a change of status enqueue no message for a channel that is not configured", async () => {
  await without(["email"], async () => {
    const { id, reference } = await submitted(invitation);
    await setStatus(reference, "approved", { by: "Ines" });
    expect(await channelsOf(id)).toEqual(["sms", "webhook", "webhook"]);
  });
});

test.each([
  ["named no number", {}],
  ["named a number outside SMS_COUNTRIES", { mobile: "6421345678" }],
])("no SMS is sent if the invitation %s", async (_, mobile) => {
  const { id } = await submitted({ email: invitation.email, ...mobile });
  expect(await channelsOf(id)).not.toContain("sms");
});

test("simultaneous submissions enqueue one message of each kind", async () => {
  const { id, token } = await filledIn(invitation);
  await Promise.all(Array.from({ length: size(20, 200) }, () => post(submitFinal, { token, data: consent })));
  const { email } = (await sql("SELECT email FROM applications WHERE id = $1", [id]))[0] ?? {};
  expect(email).not.toBe(invitation.email);
  expect(await messagesOf(id)).toEqual([
    { kind: "confirmation", channel: "email", recipient: email, detail: "" },
    { kind: "not-you", channel: "sms", recipient: "61412345678", detail: "" },
    { kind: "agent-notice", channel: "email", recipient: agent.managerEmail, detail: "" },
    { kind: "staff-notice", channel: "email", recipient: "ops@lender.example", detail: "" },
    { kind: "staff-notice", channel: "email", recipient: "loans@lender.example", detail: "" },
    { kind: "application.submitted", channel: "webhook", recipient: "", detail: "" },
  ]);
  reportFigure(41, "200 submissions of one application at once: 1 message of each kind");
});

test("a submission in one call confirms to the address that came with it", async () => {
  const { id, token } = await invited(invitation);
  const data = { ...wholeApplication, email: "new@landlord.example" };
  expect((await post(submitWhole, { token, data })).status).toBe(200);
  expect(await messagesOf(id)).toContainEqual(expect.objectContaining({ recipient: "new@landlord.example" }));
});

test("a rolled-back submission enqueues no message", async () => {
  const { id, token } = await filledIn(invitation);
  await sql(`ALTER TABLE consent_records ADD CONSTRAINT refused CHECK (version = '') NOT VALID`);
  for (let n = 0; n < size(1, 20); n += 1) expect((await post(submitFinal, { token, data: consent })).status).toBe(500);
  await sql("ALTER TABLE consent_records DROP CONSTRAINT refused");
  expect(await messagesOf(id)).toEqual([]);
  reportFigure(41, "20 submissions that were rolled back: 0 messages");
});

test("the first opening of a link is reported once", async () => {
  const { id, token } = await invited();
  for (let time = 0; time < 3; time += 1) await post(verify, { token });
  expect(await sql(`SELECT kind, channel FROM messages WHERE "applicationId" = $1`, [id])).toEqual([
    { kind: "link.opened", channel: "webhook" },
  ]);
});

test("the applicant is notified of each change of status once", async () => {
  const { id, reference } = await submitted();
  const before = (await messagesOf(id)).length;
  expect(await setStatus(reference, "approved", { by: "Ines" })).toMatchObject({ emailedAt: expect.any(Date) });
  expect(await setStatus(reference, "approved", { by: "Ines" })).toMatchObject({ emailedAt: null });
  expect((await messagesOf(id)).slice(before)).toEqual([
    { kind: "status", channel: "email", recipient: expect.stringContaining("@"), detail: "approved" },
    { kind: "application.status_changed", channel: "webhook", recipient: "", detail: "approved" },
  ]);
});

describe("a status that is changed while its email is being sent", () => {
  async function claimStatusEmail(id: string) {
    await sql(`UPDATE messages SET "dueAt" = now() WHERE kind = 'status' AND state = 'waiting'`);
    return claimFor(id, "status");
  }
  const emails = `SELECT detail, state, error FROM messages WHERE "applicationId" = $1 AND kind = 'status' ORDER BY number`;
  const statuses = (id: string) => sql(emails, [id]);

  async function statusSetter() {
    const { id, reference } = await submitted(invitation);
    return { id, set: (status: StatusAfterSubmission) => setStatus(reference, status, { by: "Ines" }) };
  }

  const declined = { detail: "declined", state: "cancelled", error: "the status has changed" };
  const superseded = { detail: "approved", state: "cancelled", error: "a later email reports this status" };
  const approvedAnew = { detail: "approved", state: "waiting", error: "" };
  const approvedStill = { detail: "approved", state: "waiting", error: "ECONNREFUSED" };

  test.each([
    ["a new email if its first email had not reached the mail server", false, [superseded, declined, approvedAnew]],
    ["the same email if the mail server had been contacted", true, [approvedStill, declined]],
  ])("a status that is changed and changed back is reported by %s", async (_, isAskedFor, expected) => {
    const { id, set } = await statusSetter();
    await set("approved");
    const approved = await claimStatusEmail(id);
    if (isAskedFor) await sql(`UPDATE message_attempts SET "contactedAt" = now() WHERE id = $1`, [approved.attemptId]);
    await set("declined");
    await set("approved");
    // No mail server listens, so an email that is not cancelled waits for another attempt.
    await deliver(approved);
    expect(await statuses(id)).toEqual(expected);
  });

  test("an email that an operator retries reports the current status although a later email reported another", async () => {
    const { id, set } = await statusSetter();
    await set("approved");
    const { id: approved, number } = await claimStatusEmail(id);
    await sql(`UPDATE messages SET state = 'failed' WHERE id = $1`, [approved]);
    await set("declined");
    await sql(`UPDATE messages SET state = 'sent' WHERE id = $1`, [(await claimStatusEmail(id)).id]);
    await set("approved");
    await sql(`UPDATE messages SET state = 'cancelled' WHERE state = 'waiting' AND kind = 'status'`);
    await retryMessages({ numbers: [Number(number)], states: ["failed"] });
    await deliver(await claimStatusEmail(id));
    expect((await statuses(id))[0]).toEqual(approvedStill);
  });

  test("a change back to the status that the applicant knows is not reported", async () => {
    const { id, set } = await statusSetter();
    await set("in-review");
    const inReview = await claimStatusEmail(id);
    await set("submitted");
    await deliver(inReview);
    expect(await statuses(id)).toEqual([{ ...declined, detail: "in-review" }]);
  });
});
