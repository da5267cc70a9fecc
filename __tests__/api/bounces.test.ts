import { address, bounceHelpers, complaint, hardBounce, mobile, reportOn, setUpSms } from "@/__tests__/support/bounces";
import { freshDatabase } from "@/__tests__/support/database";
import { samples } from "@/__tests__/support/delivery-reports";
import { invited } from "@/__tests__/support/invited";
import { refusal } from "@/__tests__/support/mail-server";
import { ownMailServer } from "@/__tests__/support/providers";
import { readAll } from "@/__tests__/support/read-all";
import { claim, claimOne, deliver } from "@/__tests__/support/sending";
import { reportFigure } from "@/__tests__/support/size";
import { applyReport } from "@/lib/server/channels/bounces/apply-report";
import { prisma } from "@/lib/server/db/client";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink } from "@/lib/server/invitations/links";
import { findUnopened, reissueAll } from "@/lib/server/invitations/unopened";
import { enqueueOnceOn } from "@/lib/server/outbox/enqueue";
import { suppress } from "@/lib/server/outbox/suppressions";

const database = freshDatabase();
const { sql, insertMessage, blockedBy } = database;

const { emailed, stateOf, reasons } = bounceHelpers(database);

/** Invites an applicant whose email then bounces, so that an SMS is waiting. */
async function bounced() {
  const applicant = await emailed();
  expect(await applyReport(hardBounce(applicant.id))).toBe("bounced");
  return applicant;
}

/** Invites an applicant by an email that is still to be sent. */
async function waitingToBeEmailed(to?: string) {
  const applicant = await emailed(to);
  await sql(`UPDATE messages SET state = 'waiting', "sentAt" = NULL WHERE id = $1`, [applicant.id]);
  return applicant;
}

const everything = async () => [
  await sql("SELECT * FROM messages ORDER BY number"),
  await sql("SELECT * FROM suppressions ORDER BY reason"),
];
const waiting = (application: string) =>
  sql(
    `SELECT kind, channel, recipient, detail FROM messages WHERE state = 'waiting' AND "applicationId" = $1 ORDER BY number`,
    [application],
  );
const reminders = () => sql("SELECT state, error FROM messages WHERE kind = 'reminder'");
const sent = { recipient: address, state: "sent", sentAt: new Date() };
const smsMessages = () => sql("SELECT kind, recipient, state FROM messages WHERE channel = 'sms'");

beforeEach(() => setUpSms());

test.each([...samples].map(([name, { outcome }]) => [name, outcome]))(
  "the sample %s reports: %s",
  async (name, report) => {
    const { id } = await emailed();
    const [outcome = ""] = report.split(" ");
    expect(await applyReport(reportOn(name, id))).toBe(outcome);
    const isFailure = outcome === "bounced" || outcome === "undelivered";
    expect(await stateOf(id)).toEqual(isFailure ? { state: "failed", error: report } : { state: "sent", error: "" });
    const expectedReasons = { bounced: [report], complaint: ["a complaint"] }[outcome];
    expect(await reasons()).toEqual(expectedReasons ?? []);
  },
);

/** A hard bounce in which some of the text is replaced. */
function bounceWith(id: string, ...changes: (readonly [RegExp | string, string])[]): Buffer {
  let report = hardBounce(id).toString("latin1");
  for (const [text, replacement] of changes) report = report.replace(text, replacement);
  return Buffer.from(report);
}

test("a report of a delivery is recognised", async () => {
  const { id } = await emailed();
  expect(await applyReport(bounceWith(id, [/^Action:.*/im, "Action: delivered"]))).toBe("delivered");
  expect(await stateOf(id)).toEqual({ state: "delivered", error: "" });
});

const failed = "Action: failed\nStatus: 5.1.1";
const delivered = "Action: delivered\nStatus: 2.0.0";
const delayed = "Action: delayed\nStatus: 4.4.1";
test.each([
  ["another was delivered and ours failed", delivered, failed, "bounced"],
  ["another is delayed and ours failed", delayed, failed, "bounced"],
  ["another failed and ours was delivered", failed, delivered, "delivered"],
  ["another failed and ours is delayed", failed, delayed, "nothing"],
])("of a report on several recipients, only ours counts: %s", async (_, other, ours, outcome) => {
  const { id } = await emailed();
  const groups = `Final-Recipient: rfc822; other@alias.example\n${other}\n\nFinal-Recipient: rfc822;${address}\n${ours}`;
  expect(await applyReport(bounceWith(id, [/^Final-Recipient:.*?\n\n/ims, `${groups}\n\n`]))).toBe(outcome);
});

test.each(["message/global", "message/global-headers"])("a report may return our email as %s", async (type) => {
  const { id } = await emailed();
  const status = ["message/delivery-status", "message/global-delivery-status"] as const;
  expect(await applyReport(bounceWith(id, status, ["message/rfc822", type]))).toBe("bounced");
});

test("a message is found by the ID that the mail server assigned", async () => {
  const { id } = await emailed();
  await sql(`UPDATE messages SET "providerId" = '0102-given-by-ses' WHERE id = $1`, [id]);
  expect(await applyReport(hardBounce("0102-given-by-ses"))).toBe("bounced");
  expect(await stateOf(id)).toMatchObject({ state: "failed" });
});

describe("a report that does not apply", () => {
  const other = "7b2c1d1e-0f5a-4c1e-9d44-0a1b2c3d4e5f";
  const cases: [title: string, email: (id: string) => string | Buffer][] = [
    ["a report on a message that is not ours", () => hardBounce(other)],
    ["a report whose Message-ID only looks like ours", (id) => hardBounce(`${id}0`)],
    [
      "a report that names our message outside the part it returns",
      (id) =>
        bounceWith(other, [/^Subject:.*/im, `Subject: <${id}@lender.example>\nIn-Reply-To: <${id}@lender.example>`]),
    ],
    ["a forged report whose Message-ID has nothing before the @", () => hardBounce("")],
    ["a reply from the applicant", (id) => `From: a@b.example\nIn-Reply-To: <${id}@lender.example>\n\nPlease stop.`],
    ["an empty email", () => ""],
    ["a report on a Message-ID with a control character", (id) => hardBounce(`${id}\0`)],
    ["bytes that are not an email", () => Buffer.from([0, 255, 10, 0, 200, 10, 10])],
    ["an email of more than a megabyte", (id) => Buffer.concat([hardBounce(id), Buffer.alloc(1_000_000, "x")])],
    ["an email of more than ten thousand lines", (id) => Buffer.concat([hardBounce(id), Buffer.alloc(10_000, "\n")])],
    [
      "an email with more than 64 kB of headers",
      (id) => Buffer.concat([Buffer.from(`To: ${"a@b.example, ".repeat(5_042)}\n`), hardBounce(id)]),
    ],
  ];
  test.each(cases)("nothing changes after %s", async (_, email) => {
    const { id } = await emailed();
    const before = await everything();
    expect(await applyReport(Buffer.from(email(id) as string))).toBe("nothing");
    expect(await everything()).toEqual(before);
  });

  test("nothing changes when a report is read again, even once the address works again", async () => {
    const { id } = await bounced();
    const before = await everything();
    expect(await applyReport(hardBounce(id))).toBe("nothing");
    expect(await everything()).toEqual(before);
    await sql("DELETE FROM suppressions");
    expect(await applyReport(hardBounce(id))).toBe("nothing");
    expect(await reasons()).toEqual([]);
    reportFigure(75, `${cases.length} forged or foreign emails, and a report read twice: nothing changed`);
  });
});

test("nobody can compute the id of an email that is sent once a day, with which they could forge a report", async () => {
  const enqueuedId = async () => {
    await enqueueOnceOn("2026-11-27", prisma(), "evidence-head", address);
    const [row] = await sql("DELETE FROM messages WHERE kind = 'evidence-head' RETURNING id");
    return row?.id;
  };
  const first = await enqueuedId();
  expect(first).toEqual(expect.any(String));
  expect(await enqueuedId()).not.toBe(first);
});

describe("after a hard bounce", () => {
  test("the address gets no reminders, and the mobile gets one SMS", async () => {
    await bounced();
    expect(await reminders()).toEqual([{ state: "cancelled", error: "stopped" }]);
    expect(await smsMessages()).toEqual([{ kind: "invitation", recipient: mobile, state: "waiting" }]);
  });

  test("a bounce suppresses an address even after an earlier report of delivery", async () => {
    const { id } = await emailed();
    await sql("UPDATE messages SET state = 'delivered' WHERE id = $1", [id]);
    expect(await applyReport(hardBounce(id))).toBe("bounced");
    expect(await reasons()).toEqual(["bounced 5.1.1"]);
  });

  test("one SMS is sent even if two processes read the report at once or a second message bounces", async () => {
    const { id, application } = await emailed();
    await Promise.all(Array.from({ length: 8 }, () => applyReport(hardBounce(id))));
    const second = await insertMessage({ ...sent, applicationId: application, kind: "reminder" });
    await sql("DELETE FROM suppressions");
    expect(await applyReport(hardBounce(second.id))).toBe("bounced");
    expect(await smsMessages()).toHaveLength(1);
    reportFigure(75, "a bounce read by 8 at once, and a second message: 1 SMS, and 0 to those who had opted out");
  });

  test("no SMS goes to an applicant who complained after an earlier bounce", async () => {
    const second = await emailed();
    await bounced();
    expect(await applyReport(complaint(second.id))).toBe("complaint");
    expect(await applyReport(hardBounce(second.id))).toBe("bounced");
    expect(await smsMessages()).toHaveLength(1);
    expect((await reasons()).sort()).toEqual(["a complaint", "bounced 5.1.1"]);
  });

  test("no SMS is sent if the contact was corrected before the report arrived", async () => {
    const { id, reference } = await emailed();
    await correctContact(reference, { email: "right@landlord.example" }, { expiresDays: 30, by: "Ines" });
    expect(await applyReport(hardBounce(id))).toBe("bounced");
    expect(await smsMessages()).not.toContainEqual(expect.objectContaining({ kind: "invitation" }));
  });

  test("each application of the address gets an SMS, since a bounce is not an opt-out", async () => {
    const second = await emailed();
    await bounced();
    expect(await applyReport(hardBounce(second.id))).toBe("bounced");
    expect(await smsMessages()).toHaveLength(2);
  });

  test("an invitation that still waits for a dead address is cancelled, and its application gets an SMS", async () => {
    const other = await waitingToBeEmailed();
    await bounced();
    expect(await stateOf(other.id)).toEqual({ state: "cancelled", error: "stopped" });
    expect(await waiting(other.application)).toMatchObject([{ channel: "sms" }]);
  });

  test("an invitation that a worker has claimed before the address turned out to be dead becomes an SMS", async () => {
    await waitingToBeEmailed();
    const claimed = await claimOne();
    await bounced();
    expect((await deliver(claimed)).outcome).toMatchObject({ state: "cancelled", error: "stopped" });
    expect(await smsMessages()).toHaveLength(2);
  });

  const exclusions: [title: string, prepare: (application: string) => Promise<unknown>][] = [
    ["to an applicant who has opted out of emails", () => suppress("email", address, "", "")],
    ["to an applicant who has opted out of SMS", () => suppress("sms", mobile, "", "")],
    [
      "to an applicant who has submitted",
      (id) => sql(`UPDATE applications SET status = 'submitted', "submittedAt" = now() WHERE id = $1`, [id]),
    ],
    ["without an SMS provider", async () => setUpSms({ sms: false })],
    ["without a mobile", (id) => sql(`UPDATE applications SET "invitedMobile" = '' WHERE id = $1`, [id])],
    [
      "to a country outside SMS_COUNTRIES",
      (id) => sql(`UPDATE applications SET "invitedMobile" = '6421345678' WHERE id = $1`, [id]),
    ],
  ];
  test.each(exclusions)("no SMS is sent %s", async (_, prepare) => {
    const { id, application } = await emailed();
    await prepare(application);
    expect(await applyReport(hardBounce(id))).toBe("bounced");
    expect(await smsMessages()).toEqual([]);
  });
});

const terms = { expiresDays: 30, by: "Ines", allowDuplicates: true };
const correctedEmail = "right@landlord.example";
const otherMobile = "61412345699";
const smsInvitation = { kind: "invitation", channel: "sms", detail: "instead of an email" };

const refusals: Record<string, Error> = {
  "dead@landlord.example": refusal(550, "5.1.1 No such user"),
  "full@landlord.example": refusal(550, "5.2.2 Full"),
};
ownMailServer({}, { onRcptTo: ({ address }, _, callback) => callback(refusals[address]) });

const unopened = () => readAll(findUnopened("bounced"));
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
    await correctContact(reference, { mobile: otherMobile }, { ...terms, send: true });
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

  test("a corrected email gets no reminders after an opt-out, and none whose day has passed", async () => {
    const optedOut = await bounced();
    await applyReport(complaint(optedOut.id));
    await correctContact(optedOut.reference, { email: correctedEmail }, terms);
    await sql("DELETE FROM suppressions");
    const late = await bounced();
    await sql(`UPDATE messages SET "dueAt" = now() - interval '1 hour' WHERE kind = 'reminder'`);
    await correctContact(late.reference, { email: correctedEmail }, terms);
    for (const { application } of [optedOut, late])
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
    expect(found).toMatchObject([{ isOptedOut: false, contact: { channel: "sms" } }]);
    await sql("UPDATE messages SET state = 'sent' WHERE state = 'waiting'");
    expect(await reissueAll(found, { ...terms, send: true }, async () => {})).toBe(1);
    expect(await waiting(application)).toMatchObject([{ channel: "sms", recipient: mobile }]);
    setUpSms({ sms: false });
    expect(await unopened()).toMatchObject([{ contact: null }]);
  });

  test("a recipient who has opted out gets no messages through the other channel", async () => {
    const { reference, id } = await bounced();
    await applyReport(complaint(id));
    await expect(reissueLink(reference, { ...terms, send: true })).rejects.toThrow("are stopped");
  });

  test("a new invitation to the same address goes by SMS", async () => {
    await bounced();
    await invited({ email: address, mobile: otherMobile }, { send: true });
    const channels = await sql("SELECT DISTINCT channel FROM messages WHERE recipient = $1", [otherMobile]);
    expect(channels).toEqual([{ channel: "sms" }]);
  });
});

test("an opt-out and a correction of the contact at the same moment do not deadlock", async () => {
  const { application } = await waitingToBeEmailed();
  const cancel = (kind: string) =>
    sql(`UPDATE messages SET state = 'cancelled' WHERE "applicationId" = $1 AND kind = $2`, [application, kind]);
  const optOut = async () => {
    await cancel("reminder");
    return suppress("email", address, "", "");
  };
  const lock = "SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE";
  const suppressed = await blockedBy(lock, [application], optOut, () => cancel("invitation"));
  expect(suppressed).toEqual({ isNew: true, cancelled: 0 });
});

test("an opt-out that is removed while its email is being checked leads to no SMS", async () => {
  const { application } = await waitingToBeEmailed();
  const claimed = await claimOne();
  await suppress("email", address, "", "");
  const lock = "SELECT FROM message_attempts WHERE id = $1 FOR UPDATE";
  const remove = () => sql("DELETE FROM suppressions");
  expect(await blockedBy(lock, [claimed.attemptId], () => deliver(claimed), remove)).toMatchObject({
    outcome: { state: "cancelled", error: "stopped" },
  });
  expect(await waiting(application)).toEqual([]);
});

test("an opt-out from emails also cancels the SMS that was chosen because the email bounced", async () => {
  const { reference, id } = await bounced();
  await reissueLink(reference, { ...terms, send: true });
  await applyReport(complaint(id));
  expect(await deliver(await claimOne("sms"))).toMatchObject({ outcome: { state: "cancelled", error: "stopped" } });
});

test.each(["invitation", "reminder"])("a STOP by SMS also cancels an emailed %s that waits", async (kind) => {
  const { application } = await emailed();
  await sql(`UPDATE messages SET state = 'waiting', "sentAt" = NULL, "dueAt" = now() WHERE kind = $1`, [kind]);
  await suppress("sms", mobile, "a reply to an SMS", "");
  const email = await claimOne();
  expect(email).toMatchObject({ kind, applicationId: application });
  expect(await deliver(email)).toMatchObject({ outcome: { state: "cancelled", error: "stopped" } });
});

test("an invitation that a worker has claimed is not sent in addition to that of a reissue", async () => {
  const { reference } = await waitingToBeEmailed();
  const claimed = await claimOne();
  await reissueLink(reference, { ...terms, send: true });
  expect(await deliver(claimed)).toMatchObject({ outcome: { state: "superseded" } });
});

test("an email that bounces after its invitation was repeated by SMS leads to no second SMS", async () => {
  const { application, reference, id } = await emailed();
  await bounced();
  await reissueLink(reference, { ...terms, send: true });
  expect(await applyReport(hardBounce(id))).toBe("bounced");
  const waitingSms = (await waiting(application)).filter(({ channel }) => channel === "sms");
  expect(waitingSms).toEqual([{ ...smsInvitation, recipient: mobile, detail: "" }]);
});

describe("when the mail server refuses", () => {
  async function refused(to: string) {
    const applicant = await waitingToBeEmailed(to);
    for (const message of await claim("email", 10)) await deliver(message);
    return applicant;
  }

  test("the address of an unknown user is suppressed, and the mobile gets one SMS", async () => {
    const { application, id } = await refused("dead@landlord.example");
    expect(await stateOf(id)).toEqual({ state: "failed", error: "550 5.1.1" });
    expect(await waiting(application)).toEqual([{ ...smsInvitation, recipient: mobile }]);
    expect(await reasons()).toEqual(["bounced 550 5.1.1"]);
  });

  test("a full mailbox suppresses nothing", async () => {
    const { application } = await refused("full@landlord.example");
    expect(await waiting(application)).toMatchObject([{ kind: "reminder", channel: "email" }]);
    expect(await reasons()).toEqual([]);
  });

  test("after an opt-out from SMS the mail server is not contacted, and no SMS is sent", async () => {
    await suppress("sms", mobile, "", "");
    const { application, id } = await refused("dead@landlord.example");
    expect(await stateOf(id)).toEqual({ state: "cancelled", error: "stopped" });
    expect(await waiting(application)).toMatchObject([{ kind: "reminder", channel: "email" }]);
  });
});
