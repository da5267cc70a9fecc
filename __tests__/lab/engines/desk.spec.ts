import { expect } from "@playwright/test";
import { invitedAtStage } from "@/__tests__/support/stages";
import { test } from "./browser";

const enter = "\uE007";

test("staff sign in, find, take, note, decide and undo at the desk", async ({ staff }) => {
  const { reference } = await invitedAtStage("submitted");
  await staff.open("/desk", "Sign in to the desk");
  await staff.press("Sign in", "Who are you?");
  await staff.press("Robin, an approver (robin.approver@lender.example)", "Sign out");
  await staff.type("Search", reference + enter);
  await staff.sees("1 application");
  await staff.press(reference, "Answers");
  await staff.press("Take", "You have taken this application.");
  await staff.type("Note", "The rent is right.");
  await staff.press("Add a note", "The note was added.", "Last note");
  await staff.press("Approve", "What the applicant gets");
  await staff.press("Approve", "Undo");
  await staff.press("Undo", "Start review");
  await staff.press("Sign out", "You have signed out.");
});

test("staff see an invitation before it goes, and a refused one keeps what was typed", async ({ staff }) => {
  await staff.open("/desk/invite", "Sign in to the desk");
  await staff.press("Sign in", "Who are you?");
  await staff.press("Casey, a clerk (casey.clerk@lender.example)", "Invite one person");
  await staff.type("First name", "Ivy");
  await staff.type("Mobile", "12");
  await staff.press("Preview the invitation", "Nothing was sent. Correct the marked fields.");
  expect(await staff.valueOf("First name")).toBe("Ivy");
  await staff.type("Mobile", "0491 570 158");
  // Nothing sends SMS here.
  await staff.type("Email address", "ivy@mail.example");
  await staff.press("Preview the invitation", "Send the invitation");
});
