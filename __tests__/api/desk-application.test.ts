import { freshDatabase } from "@/__tests__/support/database";
import { ownMailServer } from "@/__tests__/support/providers";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { eraseApplication } from "@/lib/server/applications/erase";
import { addNote } from "@/lib/server/applications/handling";
import { readForDesk } from "@/lib/server/desk/application-view";
import { previewDecision } from "@/lib/server/desk/decision-preview";
import { decide, startReview, undo, undoOf } from "@/lib/server/desk/decisions";
import { Refusal } from "@/lib/server/refusal";

const { sql } = freshDatabase();
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

test("before a decision the desk shows the screen and the email that the landlord will get", async () => {
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
  await expect(late).rejects.toThrow(/has changed since you opened this page: status changed: approved by approver@/);
  const atOnce = await submitted();
  const page = await readForDesk(atOnce.reference);
  const both = await Promise.allSettled(
    ["approved", "declined"].map((to) => decide(atOnce.reference, to, "", page, approver.by)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
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
  await decide(reference, "declined", "", await readForDesk(reference), approver.by);
  const decided = await readForDesk(reference);
  await expect(startReview(reference, decided, clerk.by)).rejects.toThrow(Refusal);
  await expect(undo(reference, decided, clerk)).rejects.toThrow("Only an approver may do this.");
  await undo(reference, decided, approver);
  expect(await readForDesk(reference)).toMatchObject({ status: "submitted", undo: null });
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
