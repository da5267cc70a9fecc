import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { ownMailServer } from "@/__tests__/support/providers";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { eraseApplication } from "@/lib/server/applications/erase";
import { addNote, releaseApplication, takeApplication } from "@/lib/server/applications/handling";
import { readForDesk } from "@/lib/server/desk/application-view";
import { previewDecision } from "@/lib/server/desk/decision-preview";
import { decide, startReview, undo, undoOf } from "@/lib/server/desk/decisions";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { readInvitation } from "@/lib/server/invitations/read-invitation";
import { Refusal } from "@/lib/server/refusal";

const { sql, blockedBy } = freshDatabase();
ownMailServer();

const clerk = { by: "clerk@lender.example", role: "clerk" } as const;
const approver = { by: "approver@lender.example", role: "approver" } as const;
const emailsOf = (reference: string) =>
  sql(
    `SELECT m.detail, m.state FROM messages m JOIN applications a ON a.id = m."applicationId"
     WHERE a.reference = $1 AND m.kind = 'status' ORDER BY m.number`,
    [reference],
  );

test("an application shows its answers beside the invitation, with changes marked, and the checked consent", async () => {
  const { reference } = await submitted({ lastName: "Invitedname" });
  const shown = await readForDesk(reference.toLowerCase());
  expect(shown).toMatchObject({ reference, status: "submitted", isErased: false, decisions: expect.any(Array) });
  expect(shown.answers).toContainEqual(
    expect.objectContaining({ label: "Last name", answer: "Byron", invited: "Invitedname", isChanged: true }),
  );
  expect(shown.consents).toMatchObject([{ problems: [], isTextOnly: false }]);
  expect(shown.consents[0]?.receipt.length).toBeGreaterThan(0);
  await expect(readForDesk("nothing")).rejects.toThrow(Refusal);
});

test("characters that change how a text reads are shown as what they are", async () => {
  const { reference } = await submitted({ agencyName: "Agency\u202e" });
  await addNote(reference, "paid\u202e\u001b[31m<b>", "Vera");
  const { timeline, answers } = await readForDesk(reference);
  expect(timeline.at(-1)?.reason).toBe("paid\\u202e\\u001b[31m<b>");
  expect(answers).toContainEqual(expect.objectContaining({ invited: "Agency\\u202e" }));
});

test("before a decision the desk shows the screen and the email that the applicant will get", async () => {
  const { reference } = await submitted({ email: "ada@mail.example" });
  const { screen, email } = await previewDecision(reference, "approved");
  expect(screen.heading).toBe("Your application is approved");
  expect(email).toMatchObject({ none: "", delayMinutes: 5, subject: `Approved: your application ${reference}` });
  expect(await emailsOf(reference)).toEqual([]);
});

test("of two decisions on the same page the first counts, and the other person reads what happened", async () => {
  const { reference } = await submitted();
  const shown = await readForDesk(reference);
  await decide(reference, "approved", "", shown, approver.by);
  const late = decide(reference, "declined", "", shown, "other@lender.example");
  await expect(late).rejects.toThrow(/has changed since you opened this page: status changed: Approved by approver@/);
  const atOnce = await submitted();
  const page = await readForDesk(atOnce.reference);
  const both = await Promise.allSettled(
    ["approved", "declined"].map((to) => decide(atOnce.reference, to, "", page, approver.by)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

const aDraft = () => invited({ email: "ada@mail.example" });
const aReview = async () => {
  const application = await submitted();
  await startReview(application.reference, await readForDesk(application.reference), clerk.by);
  return application;
};
type Shown = Awaited<ReturnType<typeof readForDesk>>;
const terms = ({ version }: Shown) => ({ expiresDays: 30, by: clerk.by, seen: version });

test.each<[string, () => Promise<{ reference: string }>, (reference: string, shown: Shown) => Promise<unknown>]>([
  ["a decision", submitted, (reference, shown) => decide(reference, "approved", "", shown, approver.by)],
  ["a review", submitted, (reference, shown) => startReview(reference, shown, clerk.by)],
  ["an Undo", aReview, (reference, shown) => undo(reference, shown, clerk)],
  ["a revocation", aDraft, (reference, shown) => revokeLinks(reference, approver.by, shown.version)],
  ["a new link", aDraft, (reference, shown) => reissueLink(reference, terms(shown))],
  ["a correction", aDraft, (reference, shown) => correctContact(reference, { email: "b@mail.example" }, terms(shown))],
  ["an erasure", aDraft, (reference, shown) => eraseApplication(reference, approver.by, undefined, shown.version)],
])("%s that had to wait for a colleague is refused with what the colleague did", async (_, prepare, act) => {
  const { reference } = await prepare();
  const shown = await readForDesk(reference);
  const noted = `WITH locked AS (SELECT id FROM applications WHERE reference = $1 FOR UPDATE)
    INSERT INTO events ("applicationId", kind, by, reason) SELECT id, 'noted', 'Vera', 'Call first' FROM locked`;
  const late = blockedBy(noted, [reference], () => act(reference, shown));
  await expect(late).rejects.toThrow("has changed since you opened this page: noted by Vera “Call first”. Nothing");
  expect((await readForDesk(reference)).status).toBe(shown.status);
});

test("a release does not take an application from a colleague who has just taken it", async () => {
  const { reference } = await aDraft();
  await takeApplication(reference, "Vera");
  await expect(releaseApplication(reference, clerk.by, clerk.by)).rejects.toThrow("Vera has taken it in the meantime.");
});

test("an application is taken over only from the colleague whom the page showed", async () => {
  const { reference } = await aDraft();
  await takeApplication(reference, "Vera");
  await expect(takeApplication(reference, clerk.by)).rejects.toThrow("Vera is handling");
  await expect(takeApplication(reference, clerk.by, "Mia")).rejects.toThrow("Vera is handling");
  await takeApplication(reference, clerk.by, "Vera");
  expect(await readForDesk(reference)).toMatchObject({ takenBy: clerk.by });
});

test("a message that will be cancelled says so before it is due", async () => {
  const { reference } = await aDraft();
  const state = async () => (await readForDesk(reference)).messages.at(-1)?.[1];
  await reissueLink(reference, { expiresDays: 30, by: clerk.by, send: true });
  expect(await state()).toBe("waiting");
  await revokeLinks(reference, approver.by);
  expect(await state()).toBe("will not go out: The links have been revoked.");
});

test("a reminder waits for its day although an earlier one waits as well", async () => {
  const read = readInvitation({ mobile: "61491570156", email: "ada@mail.example" });
  const invitations = "invitation" in read ? [read.invitation] : [];
  const [issued] = await createInvitations(invitations, { by: clerk.by, send: true });
  const { messages } = await readForDesk(issued?.reference ?? "");
  expect(messages.map(([, state]) => state)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
});

test("the last note is shown with its author, and not after an erasure", async () => {
  const { reference } = await aDraft();
  await addNote(reference, "Call first", "Vera");
  expect((await readForDesk(reference)).lastNote).toMatch(/^Call first \(Vera, /);
  await eraseApplication(reference, "Vera");
  expect(await readForDesk(reference)).toMatchObject({ lastNote: "" });
});

test("an erased draft says that there is nothing left to do", async () => {
  const { reference } = await aDraft();
  await eraseApplication(reference, "Vera");
  expect(await readForDesk(reference)).toMatchObject({
    isEmpty: true,
    nextStep: "Nothing. The personal data was erased.",
  });
});

test("a decision on an application that was erased meanwhile, or that cannot follow, is refused", async () => {
  const { reference } = await submitted();
  const shown = await readForDesk(reference);
  await expect(decide(reference, "paid", "", shown, approver.by)).rejects.toThrow("from submitted to paid");
  await eraseApplication(reference, "Vera");
  await expect(decide(reference, "approved", "", shown, approver.by)).rejects.toThrow("erased by Vera");
});

test("a clerk starts a review and undoes it, but takes no decision back by either", async () => {
  const { reference } = await submitted();
  await startReview(reference, await readForDesk(reference), clerk.by);
  expect((await readForDesk(reference)).undo).toMatchObject({ to: "submitted", right: "start-review" });
  await undo(reference, await readForDesk(reference), clerk);
  expect(await emailsOf(reference)).toEqual([{ detail: "in-review", state: "cancelled" }]);
  await startReview(reference, await readForDesk(reference), clerk.by);
  expect((await readForDesk(reference)).undo).toMatchObject({ to: "submitted" });
  await undo(reference, await readForDesk(reference), clerk);
  await decide(reference, "declined", "", await readForDesk(reference), approver.by);
  const decided = await readForDesk(reference);
  await expect(startReview(reference, decided, clerk.by)).rejects.toThrow(Refusal);
  await expect(undo(reference, decided, clerk)).rejects.toThrow("Only an approver may do this.");
  await undo(reference, decided, approver);
  expect(await readForDesk(reference)).toMatchObject({ status: "submitted", undo: null });
});

test("a decision is undone although the person was erased in between", async () => {
  const { reference } = await submitted();
  await decide(reference, "approved", "", await readForDesk(reference), approver.by);
  await eraseApplication(reference, "Vera");
  await undo(reference, await readForDesk(reference), approver);
  expect((await readForDesk(reference)).status).toBe("submitted");
});

test("Undo ends with the delay of the email", async () => {
  const { reference } = await submitted();
  await setStatus(reference, "approved", { by: "Vera" });
  const at = new Date();
  const change = { at, detail: "approved (was in-review)" };
  expect(undoOf([change], new Date(+at + 299_000))).toMatchObject({ from: "approved", to: "in-review" });
  expect(undoOf([change], new Date(+at + 301_000))).toBeNull();
  expect(undoOf([{ at, detail: "withdrawn (was paid)" }], at)).toBeNull();
});
