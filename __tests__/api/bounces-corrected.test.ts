import { bounceHelpers, complaint, hardBounce, mobile, setUpSms } from "@/__tests__/support/bounces";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { refusal } from "@/__tests__/support/mail-server";
import { ownMailServer } from "@/__tests__/support/providers";
import { claim, claimOne, deliver } from "@/__tests__/support/sending";
import { prisma } from "@/lib/server/db/client";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink } from "@/lib/server/invitations/links";
import { findUnopened, reissueAll, type Unopened } from "@/lib/server/invitations/unopened";
import { applyReport } from "@/lib/server/messages/bounces/apply-report";
import { suppress } from "@/lib/server/messages/suppressions";

const database = freshDatabase();
const { sql, untilBlocked } = database;
const { emailed, reasons } = bounceHelpers(database);
const terms = { expiresDays: 30, by: "Ines", allowDuplicates: true };
const correctedEmail = "right@landlord.example";
const otherMobile = "61412345699";
const smsInvitation = { kind: "invitation", channel: "sms", detail: "instead of an email" };

ownMailServer(
  {},
  {
    onRcptTo: ({ address }, _, callback) =>
      callback(
        address.startsWith("dead")
          ? refusal(550, "5.1.1 No such user")
          : address.startsWith("full")
            ? refusal(550, "5.2.2 Full")
            : null,
      ),
  },
);

beforeEach(() => setUpSms());

/** Invites an applicant whose email then bounces, so that an SMS is waiting. */
async function bounced() {
  const applicant = await emailed();
  expect(await applyReport(hardBounce(applicant.id))).toBe("bounced");
  return applicant;
}
async function unopened() {
  const found: Unopened[] = [];
  for await (const application of findUnopened("bounced")) found.push(application);
  return found;
}
const waiting = (application: string) =>
  sql(
    `SELECT kind, channel, recipient, detail FROM messages WHERE state = 'waiting' AND "applicationId" = $1 ORDER BY number`,
    [application],
  );

describe("after a bounce", () => {
  test("a corrected email gets the reminders that the bounce has cancelled, once", async () => {
    const { application, reference } = await bounced();
    await correctContact(reference, { email: correctedEmail }, { ...terms, send: true });
    const email = { channel: "email", recipient: correctedEmail };
    const both = [
      { ...email, kind: "invitation", detail: "" },
      { ...email, kind: "reminder", detail: "day 3" },
    ];
    expect(await waiting(application)).toEqual(both);
    await correctContact(reference, { email: correctedEmail }, { ...terms, send: true });
    expect(await waiting(application)).toEqual(both);
  });

  test("an applicant who has submitted still gets a new link from staff by email", async () => {
    const { application, reference } = await bounced();
    await sql(`UPDATE applications SET status = 'submitted', "submittedAt" = now() WHERE id = $1`, [application]);
    await reissueLink(reference, { ...terms, send: true });
    expect(await waiting(application)).toContainEqual(
      expect.objectContaining({ kind: "confirmation", channel: "email" }),
    );
  });

  test("a corrected email gets no reminders that the applicant has stopped or whose day has passed", async () => {
    const stopped = await bounced();
    await applyReport(complaint(stopped.id));
    await correctContact(stopped.reference, { email: correctedEmail }, terms);
    await sql("DELETE FROM suppressions");
    const late = await bounced();
    await sql(`UPDATE messages SET "dueAt" = now() - interval '1 hour' WHERE kind = 'reminder'`);
    await correctContact(late.reference, { email: correctedEmail }, terms);
    for (const { application } of [stopped, late])
      expect((await waiting(application)).filter(({ kind }) => kind === "reminder")).toEqual([]);
  });

  test("a corrected email gets no reminders if the applicant has replied STOP to the SMS", async () => {
    const { application, reference } = await bounced();
    await suppress("sms", mobile, "a reply to an SMS", "");
    await correctContact(reference, { email: correctedEmail }, terms);
    expect(await waiting(application)).toEqual([]);
  });

  test("a corrected mobile gets the SMS that waited for the wrong one", async () => {
    const { application, reference } = await bounced();
    await correctContact(reference, { mobile: otherMobile }, terms);
    expect(await waiting(application)).toEqual([{ ...smsInvitation, recipient: otherMobile }]);
  });

  test.each<[string, (reference: string) => Promise<unknown>]>([
    ["a corrected mobile", (reference) => correctContact(reference, { mobile: otherMobile }, { ...terms, send: true })],
    ["a reissue", (reference) => reissueLink(reference, { ...terms, send: true })],
  ])("%s with --send reaches the mobile", async (_, act) => {
    const { application, reference } = await bounced();
    await sql("UPDATE messages SET state = 'sent' WHERE state = 'waiting'");
    await act(reference);
    expect(await waiting(application)).toEqual([expect.objectContaining({ kind: "invitation", channel: "sms" })]);
  });

  test("a cancelled SMS does not count as sent", async () => {
    const { application, id } = await bounced();
    await sql("UPDATE messages SET state = 'cancelled' WHERE state = 'waiting'");
    await sql("DELETE FROM suppressions");
    await sql("UPDATE messages SET state = 'sent' WHERE id = $1", [id]);
    await applyReport(hardBounce(id));
    expect(await waiting(application)).toEqual([{ ...smsInvitation, recipient: mobile }]);
  });

  test("a batch is reissued by SMS, since a bounce is not an opt-out", async () => {
    const { application } = await bounced();
    await sql("UPDATE applications SET batch = 'bounced' WHERE id = $1", [application]);
    const found = await unopened();
    expect(found).toMatchObject([{ isOptedOut: false, isReachable: true }]);
    await sql("UPDATE messages SET state = 'sent' WHERE state = 'waiting'");
    expect(await reissueAll(found, { ...terms, send: true }, async () => {})).toBe(1);
    expect(await waiting(application)).toMatchObject([{ channel: "sms", recipient: mobile }]);
    setUpSms({ sms: false });
    expect(await unopened()).toMatchObject([{ isReachable: false }]);
  });

  test("a recipient who has stopped messages gets none through the other channel", async () => {
    const { reference, id } = await bounced();
    await applyReport(complaint(id));
    await expect(reissueLink(reference, { ...terms, send: true })).rejects.toThrow("are stopped");
  });

  test("a new invitation to the same address goes by SMS", async () => {
    await bounced();
    await invited({ email: "alex@landlord.example", mobile: otherMobile }, { send: true });
    expect(await sql("SELECT DISTINCT channel FROM messages WHERE recipient = $1", [otherMobile])).toEqual([
      { channel: "sms" },
    ]);
  });
});

test("a stop and a correction at the same moment do not wait for each other", async () => {
  const { application, id } = await emailed();
  await sql("UPDATE messages SET state = 'waiting' WHERE id = $1", [id]);
  const cancel = (kind: string) =>
    sql(`UPDATE messages SET state = 'cancelled' WHERE "applicationId" = $1 AND kind = $2`, [application, kind]);
  await sql("BEGIN");
  await sql("SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE", [application]);
  await cancel("reminder");
  const stopped = suppress("email", "alex@landlord.example", "", "");
  await untilBlocked();
  await cancel("invitation");
  await sql("COMMIT");
  expect(await stopped).toEqual({ isNew: true, cancelled: 0 });
});

test("an opt-out that is lifted while its email is being checked leads to no SMS", async () => {
  const { application, id } = await emailed();
  await sql(`UPDATE messages SET state = 'waiting', "sentAt" = NULL WHERE id = $1`, [id]);
  const claimed = await claimOne();
  await suppress("email", "alex@landlord.example", "", "");
  await sql("BEGIN");
  await sql("SELECT FROM message_attempts WHERE id = $1 FOR UPDATE", [claimed.attempt]);
  const delivered = deliver(claimed);
  await untilBlocked();
  await sql("DELETE FROM suppressions");
  await sql("COMMIT");
  expect(await delivered).toMatchObject({ outcome: { state: "cancelled", error: "stopped" } });
  expect(await waiting(application)).toEqual([]);
});

test("an opt-out from emails also stops the SMS that was chosen because the email bounced", async () => {
  const { reference, id } = await bounced();
  await reissueLink(reference, { ...terms, send: true });
  await applyReport(complaint(id));
  expect(await deliver(await claimOne("sms"))).toMatchObject({ outcome: { state: "cancelled", error: "stopped" } });
});

test.each(["invitation", "reminder"])("a STOP by SMS also stops an emailed %s that waits", async (kind) => {
  const { application } = await emailed();
  await sql(`UPDATE messages SET state = 'waiting', "sentAt" = NULL, "dueAt" = now() WHERE kind = $1`, [kind]);
  await suppress("sms", mobile, "a reply to an SMS", "");
  const email = await claimOne();
  expect(email).toMatchObject({ kind, applicationId: application });
  expect(await deliver(email)).toMatchObject({ outcome: { state: "cancelled", error: "stopped" } });
});

test("an invitation that a worker has claimed is not sent in addition to that of a reissue", async () => {
  const { reference, id } = await emailed();
  await sql(`UPDATE messages SET state = 'waiting', "sentAt" = NULL WHERE id = $1`, [id]);
  const claimed = await claimOne();
  await reissueLink(reference, { ...terms, send: true });
  expect(await deliver(claimed)).toMatchObject({ outcome: { state: "superseded" } });
});

test("an email that bounces after its invitation was repeated by SMS leads to no second SMS", async () => {
  const { application, reference, id } = await emailed();
  await bounced();
  await reissueLink(reference, { ...terms, send: true });
  expect(await applyReport(hardBounce(id))).toBe("bounced");
  const texts = (await waiting(application)).filter(({ channel }) => channel === "sms");
  expect(texts).toEqual([{ ...smsInvitation, recipient: mobile, detail: "" }]);
});

describe("a mail server that refuses", () => {
  async function refused(to: string) {
    const applicant = await emailed(to);
    await sql(`UPDATE messages SET state = 'waiting', "sentAt" = NULL WHERE id = $1`, [applicant.id]);
    for (const message of await claim("email", 10)) await deliver(message);
    return applicant;
  }

  test("an unknown user stops the address, and the mobile gets one SMS", async () => {
    const { application, id } = await refused("dead@landlord.example");
    expect(await prisma().message.findUnique({ where: { id } })).toMatchObject({ state: "failed", error: "550 5.1.1" });
    expect(await waiting(application)).toEqual([{ ...smsInvitation, recipient: mobile }]);
    expect(await reasons()).toEqual(["bounced 550 5.1.1"]);
  });

  test("a full mailbox stops nothing", async () => {
    const { application } = await refused("full@landlord.example");
    expect(await waiting(application)).toMatchObject([{ kind: "reminder", channel: "email" }]);
    expect(await reasons()).toEqual([]);
  });

  test("is not contacted for an applicant who has stopped SMS, and no SMS is sent", async () => {
    await suppress("sms", mobile, "", "");
    const { application, id } = await refused("dead@landlord.example");
    expect(await prisma().message.findUnique({ where: { id } })).toMatchObject({
      state: "cancelled",
      error: "stopped",
    });
    expect(await waiting(application)).toMatchObject([{ kind: "reminder", channel: "email" }]);
  });
});
