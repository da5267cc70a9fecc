import { agent } from "@/__tests__/support/answers";
import { freshDatabase } from "@/__tests__/support/database";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitedContact } from "@/lib/server/messages/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";

Object.assign(process.env, {
  SMTP_URL: "smtp://127.0.0.1:1",
  SMS_PROVIDER: "generic",
  SMS_URL: "http://127.0.0.1:1",
  SMS_FROM: "61400000000",
  STAFF_EMAILS: "ops@lender.example",
  AGENT_NOTICE: "1",
  REMINDER_DAYS: "3,7",
});

const { sql } = freshDatabase();
beforeEach(() => sql("DELETE FROM messages"));

const written = () => sql("SELECT kind, channel, recipient, detail, by FROM messages ORDER BY number");
const ada = { mobile: "61412345678", email: "ada@landlord.example" };

/** Runs `work` while these channels are not configured. */
async function without(channels: ("email" | "sms")[], work: () => unknown): Promise<void> {
  const { sending } = currentSettings();
  const before = { ...sending };
  for (const channel of channels) sending[channel] = undefined;
  try {
    await work();
  } finally {
    Object.assign(sending, before);
  }
}

test("an invitation goes by email where there is an address and a server, else by SMS, else not at all", async () => {
  const byEmail = { channel: "email", recipient: ada.email };
  const bySms = { channel: "sms", recipient: ada.mobile };
  expect(invitedContact(ada.email, ada.mobile)).toEqual(byEmail);
  expect(invitedContact("", ada.mobile)).toEqual(bySms);
  expect(invitedContact("", "")).toBeNull();
  const outsideSmsCountries = "447911123456";
  expect(invitedContact("", outsideSmsCountries)).toBeNull();
  await without(["email"], () => {
    expect(invitedContact(ada.email, ada.mobile)).toEqual(bySms);
    expect(invitedContact(ada.email, "")).toBeNull();
  });
  await without(["sms"], () => expect(invitedContact("", ada.mobile)).toBeNull());
});

test("an invitation is due at once, and its reminders days later", async () => {
  const invitation = { answers: ada, quotes: [], source: "ba", expiresDays: 30, consentBasis: "" };
  await createInvitations([invitation], { send: true, by: "Ines" });
  const common = { channel: "email", recipient: ada.email, by: "Ines" };
  expect(await written()).toEqual([
    { ...common, kind: "invitation", detail: "" },
    { ...common, kind: "reminder", detail: "day 3" },
    { ...common, kind: "reminder", detail: "day 7" },
  ]);
  const due = await sql(
    `SELECT round(extract(epoch FROM "dueAt" - min("dueAt") OVER ()) / 86400)::int AS day, "dueAt" <= now() AS now
     FROM messages ORDER BY number`,
  );
  expect(due).toEqual([
    { day: 0, now: true },
    { day: 3, now: false },
    { day: 7, now: false },
  ]);
});

test("a submission notifies the applicant, the invited number, the agent and the staff", async () => {
  await submitted(ada);
  expect((await written()).map(({ kind, channel, recipient }) => [kind, channel, recipient])).toEqual([
    ["confirmation", "email", "ada@example.com"],
    ["not-you", "sms", ada.mobile],
    ["agent-notice", "email", agent.managerEmail],
    ["staff-notice", "email", "ops@lender.example"],
  ]);
});

test("a submission and a change of status enqueue no message for a channel that is not configured", async () => {
  await without(["email"], async () => {
    const { reference } = await submitted(ada);
    await setStatus(reference, "approved", { by: "Ines" });
  });
  expect(await written()).toEqual([expect.objectContaining({ kind: "not-you", channel: "sms" })]);
});

test.each([
  ["named no number", {}],
  ["named a number outside SMS_COUNTRIES", { mobile: "6421345678" }],
])("no SMS is sent if the invitation %s", async (_, mobile) => {
  await submitted({ email: ada.email, ...mobile });
  expect((await written()).map(({ channel }) => channel)).toEqual(["email", "email", "email"]);
});
