import { screen } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { Form, newApplication, savedAnswers, turnTo, visit } from "@/__tests__/support/applicant";
import { declareChoice } from "@/__tests__/support/declared-choice";

const api = fakeApi();
declareChoice();

const visitStepTwo = (agencyName: string) =>
  visit(<Form />, { application: newApplication({ ...savedAnswers, agencyName }), search: "?step=2" });
const agency = () => screen.getByRole("combobox", { name: "Agency name" });

test("a choice is a select with its declared options", () => {
  visitStepTwo("quay");
  expect(agency()).toHaveDisplayValue("Quay Lettings");
  expect([...agency().querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
    "Choose one",
    "Harbour Homes Pty Ltd",
    "Quay Lettings",
  ]);
});

test("a choice is saved as the name of its option, and the review shows its label", async () => {
  api.answers("submit-step-2", {});
  const { user } = visitStepTwo("quay");
  await user.selectOptions(agency(), "Harbour Homes Pty Ltd");
  await turnTo(user, "Next", "Lease & funds");
  expect(api.calls[0]?.body.data.agencyName).toBe("harbour");
  visit(<Form />, { application: newApplication({ ...savedAnswers, agencyName: "harbour" }) });
  expect(screen.getByText("Harbour Homes Pty Ltd")).toBeVisible();
});

test("a required choice shows an error while it is empty", async () => {
  const { user } = visitStepTwo("");
  await user.click(agency());
  await user.tab();
  expect(await screen.findByText("Agency name is required")).toBeVisible();
});
