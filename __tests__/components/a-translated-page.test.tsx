import { screen, waitFor } from "@testing-library/react";
import { rentOverCap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import {
  Form,
  keepDraft,
  newApplication,
  ReviewPage,
  rowOf,
  savedAnswers,
  submitted,
  turnTo,
  visit,
} from "@/__tests__/support/applicant";
import { amountButton, fill, visitStepThree } from "@/__tests__/support/step-three";
import { translatePage } from "@/__tests__/support/translation";
import type { ApplicationView } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";

const api = fakeApi();
const invited = { agencyName: "Harbour Homes", contactNumber: savedAnswers.contactNumber };

function visitTranslated(application: Partial<ApplicationView> = {}, page = <Form />) {
  const visited = visit(page, { application: newApplication({ ...savedAnswers, ...application }, invited) });
  translatePage();
  return visited;
}

const atStepTwo = { savedSteps: [1] as AnswerStep[] };
const button = (name: string) => screen.getByRole("button", { name });
const section = () => screen.getByRole("region", { name: "How much would you like?" });
const agentMobile = () => screen.getByLabelText("Agent mobile");

describe("on a page that the browser has translated", () => {
  test("a save shows its errors and can be repeated", async () => {
    api.answers("submit-step-2", { status: 500, body: { success: false } });
    const { user } = visitTranslated(atStepTwo);
    await user.clear(screen.getByLabelText("Agency name"));
    await user.click(button("Next"));
    expect(await screen.findAllByText("Agency name is required")).not.toEqual([]);
    await user.type(screen.getByLabelText("Agency name"), "Quay Lettings");
    await user.click(button("Next"));
    expect(await screen.findByText("Step 2 submission failed")).toBeVisible();
    await user.click(button("Next"));
    await waitFor(() => expect(api.calls).toHaveLength(2));
  });

  test("a field replaces one error with another", async () => {
    const { user } = visitTranslated(atStepTwo);
    const email = screen.getByLabelText("Agent email address");
    await user.clear(email);
    await user.click(button("Next"));
    await waitFor(() => expect(email).toHaveAccessibleDescription(/Manager email is required/));
    await user.type(email, "grace");
    await waitFor(() => expect(email).toHaveAccessibleDescription(/Invalid email/));
  });

  test("the progress follows the steps", async () => {
    api.answers("submit-step-2", {});
    const { user } = visitTranslated(atStepTwo);
    await turnTo(user, "Next", "Lease & funds");
    expect(screen.getByRole("navigation", { name: "Progress" })).toHaveTextContent(/^Step 3 of 4\s*2 of 4 completed/);
  });

  test("the amounts of step 3 follow the rent, the costs and the buttons", async () => {
    const { user } = visitStepThree();
    translatePage();
    await fill(user, "Current weekly rent", rentOverCap);
    expect(screen.getByRole("rowheader", { name: `Total, limited to ${shownCap}` })).toBeInTheDocument();
    await user.click(amountButton("Only the repair: $2,450"));
    expect(screen.getByRole("rowheader", { name: "Total" })).toBeInTheDocument();
    await fill(user, "Current weekly rent", "300");
    expect(amountButton("Two years of rent plus the repair: $33,650")).toHaveAttribute("aria-pressed", "true");
    expect(section()).toHaveTextContent("Because your rent changed, we've recalculated the amount: $33,650.");
    await fill(user, "Repair costs", "3000");
    expect(amountButton("Only the repair: $3,000")).toBeVisible();
    expect(section()).toHaveTextContent("Because your repair costs changed, we've recalculated the amount: $34,200.");
    await user.clear(screen.getByLabelText("Current weekly rent"));
    expect(screen.queryByRole("button", { name: /^Two years/ })).toBeNull();
    await fill(user, "Loan amount", "100");
    expect(screen.getByText("$2,900 of the repair isn't covered.")).toBeVisible();
  });

  test("the hint of a locked number follows the agency", async () => {
    const { user } = visitTranslated(atStepTwo);
    const agency = screen.getByLabelText("Agency name");
    expect(agentMobile()).toHaveAccessibleDescription(/If it's wrong, call us on/);
    await user.type(agency, "s");
    expect(agentMobile()).toHaveAccessibleDescription(/It can't be changed here/);
    await user.type(agency, "{Backspace}");
    expect(agentMobile()).toHaveAccessibleDescription(/If it's wrong, call us on/);
  });

  test.each([
    ["the form's review", <Form key="form" />],
    ["the standalone review", <ReviewPage key="review" />],
  ])("%s names the steps with unsaved changes, as they are undone", async (_, page) => {
    keepDraft({
      firstName: { typed: "Eve", over: "Ada" },
      agencyName: { typed: "Harbour & Hill", over: "Harbour Homes" },
      loanAmount: { typed: "2450", over: "33650" },
    });
    const { user } = visitTranslated({}, page);
    const form = button("Submit Application").closest("form");
    const undo = (step: string) => user.click(button(`Undo changes in ${step}`));
    await undo("Agent details");
    expect(form).toHaveTextContent("You've made changes in Landlord & property and Lease & funds but haven't saved");
    expect(form).toHaveTextContent("save or undo your changes in Landlord & property and Lease & funds.");
    expect(form).toHaveTextContent("We've undone your changes in Agent details. You'll submit");
    await undo("Landlord & property");
    expect(form).toHaveTextContent("You've made changes in Lease & funds but haven't saved them.");
    expect(form).toHaveTextContent("save or undo your changes in Lease & funds.");
    await undo("Lease & funds");
    expect(form).toHaveTextContent("changes in Agent details, Landlord & property and Lease & funds. You'll submit");
    expect(form).not.toHaveTextContent(/haven't saved|save or undo/);
  });

  test("a review that has become outdated shows the answers that the next Submit sends", async () => {
    const changes = {
      agencyName: "Harbour & Hill",
      contactNumber: "61298760000",
      propertyAddress: "",
      leaseEndDate: "2027-03-31",
      loanAmount: "2450",
    };
    const application = newApplication({ ...savedAnswers, ...changes, version: "as changed" }, invited);
    const data = { changed: ["answers"], application } as never;
    api.answers("submit-final", { status: 409, body: { success: false, message: "It has changed", data } });
    const { user } = visitTranslated({ agencyName: "Harbour Houses", leaseEndDate: "" });
    expect(rowOf("Agency name")).toBe("Harbour HousesChanged from Harbour Homes");
    await user.click(button("Submit Application"));
    await screen.findByText("It has changed");
    const since = "Changed since you read it, from";
    expect(rowOf("Agency name")).toBe(`Harbour & Hill${since} Harbour Houses`);
    expect(rowOf("Agent mobile")).toMatch(/^\+61 2 9876 0000/);
    expect(rowOf("Rental property address")).toBe(`Not provided${since} 1 Wattle Lane, Sydney`);
    expect(rowOf("Lease end date")).toBe("March 31, 2027Changed since you read it");
    expect(rowOf("Rental Advance")).toBe(`$2,450paid to Harbour & Hill${since} $33,650`);
  });

  test("a submission leads to the confirmation", async () => {
    api.answers("submit-final", submitted);
    const { user } = visitTranslated();
    await user.click(button("Submit Application"));
    expect(await screen.findByRole("heading", { name: "Application Submitted Successfully!" })).toBeVisible();
    expect(screen.getByRole("region", { name: "Applicant" })).toHaveTextContent(/^Ada Byron\s*Not Ada\?$/);
  });
});
