import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import {
  draftKey,
  Form,
  inAnotherTab,
  keepDraft,
  newApplication,
  ReviewPage,
  savedAnswers,
  submitted,
  visit,
} from "@/__tests__/support/applicant";
import type { ApplicationAnswers } from "@/lib/domain/application";

const api = fakeApi();
const submit = () => screen.getByRole("button", { name: "Submit Application" });
const undo = (step: string) => screen.getByRole("button", { name: `Undo changes in ${step}` });
const stepLink = (name: string) => screen.getByRole("link", { name });
const reviewHeading = () => screen.findByRole("heading", { name: /^Review your application$/i });

/** Stores a draft in which these answers were typed over the saved ones. */
function keepTyped(typed: Partial<ApplicationAnswers>): void {
  const entries = Object.entries(typed).map(([name, value]) => [
    name,
    { typed: value, over: savedAnswers[name as keyof typeof savedAnswers] },
  ]);
  keepDraft(Object.fromEntries(entries));
}

async function expectBlocked(reason: string): Promise<void> {
  // The computed description has a space between a link and the punctuation mark after it.
  const description = new RegExp(`^${reason.replace(/[.,]/g, " ?\\$&")}$`);
  await waitFor(() => expect(submit()).toHaveAccessibleDescription(description));
  expect(submit()).toHaveAttribute("aria-disabled", "true");
  expect(submit()).not.toHaveAttribute("disabled");
  // Screen readers announce the reason when it changes.
  expect(document.getElementById("blocked")?.closest("[role=status]")).toBeInTheDocument();
  await userEvent.dblClick(submit());
  // Formik submits asynchronously.
  await act(async () => void fireEvent.submit(submit().closest("form") as HTMLFormElement));
  expect(api.calls).toEqual([]);
}

async function expectSubmits(): Promise<void> {
  api.answers("submit-final", submitted);
  expect(submit()).not.toHaveAttribute("aria-disabled");
  await userEvent.click(submit());
  await screen.findByRole("heading", { name: "Application Submitted Successfully!" });
}

describe.each([
  ["the form's review", () => <Form />, "review"],
  ["the standalone review", () => <ReviewPage />, "review-page"],
])("on %s, unsaved changes", (_, review, then) => {
  const visitReview = () => visit(review(), { application: newApplication(savedAnswers) });

  test("of an earlier visit block Submit, which names their step", async () => {
    keepTyped({ loanAmount: "2450" });
    visitReview();
    await expectBlocked("To submit, save or undo your changes in Lease & funds.");
    expect(screen.getByText(/You've made changes in Lease & funds but haven't saved them/)).toBeVisible();
    expect(screen.queryByText("We kept what you typed on this device.")).toBeNull();
    expect(localStorage.getItem(draftKey)).toContain("2450");
  });

  test("in several steps are named one by one, with a link to each", async () => {
    keepTyped({ firstName: "Eve", agencyName: "Harbour & Hill", loanAmount: "2450" });
    visitReview();
    const named = "Landlord & property, Agent details and Lease & funds";
    await expectBlocked(`To submit, save or undo your changes in ${named}.`);
    for (const [step, name] of named.split(/, | and /).entries())
      expect(stepLink(name)).toHaveAttribute("href", expect.stringContaining(`/home?step=${step + 1}&then=${then}#`));
  });

  test("can be undone step by step, after which Submit works", async () => {
    keepTyped({ firstName: "Eve", loanAmount: "2450" });
    const { user } = visitReview();
    await user.click(undo("Landlord & property"));
    expect(screen.queryByRole("button", { name: "Undo changes in Landlord & property" })).toBeNull();
    await expectBlocked("To submit, save or undo your changes in Lease & funds.");
    undo("Lease & funds").focus();
    await user.keyboard("{Enter}{Enter}");
    // The button has gone, so the focus moves to the note, where Enter does nothing.
    expect(screen.getByText(/^We've undone your changes in Landlord & property and Lease & funds\./)).toHaveFocus();
    expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
    expect(localStorage.getItem(draftKey)).toBeNull();
    // Too late to be the second tap of a double tap on Undo.
    const later = performance.now() + 800;
    jest.spyOn(performance, "now").mockReturnValue(later);
    await expectSubmits();
  });

  test("do not let the second tap of a double tap on Undo submit, if Submit has moved there", async () => {
    keepTyped({ loanAmount: "2450" });
    visitReview();
    // On a busy machine the second tap could come too late to belong to the first.
    jest.spyOn(performance, "now").mockReturnValue(0);
    fireEvent.click(undo("Lease & funds"));
    await act(async () => void fireEvent.click(submit()));
    expect(submit()).not.toHaveAttribute("aria-disabled");
    expect(api.calls).toEqual([]);
  });

  test("that only write an amount another way do not block", async () => {
    keepTyped({ loanAmount: "33650.00", currentRent: "300.0" });
    visitReview();
    await expectSubmits();
  });

  test("typed in another tab block as long as they are unsaved there", async () => {
    visitReview();
    inAnotherTab(() => keepTyped({ loanAmount: "2450" }));
    await expectBlocked("To submit, save or undo your changes in Lease & funds.");
    inAnotherTab(() => localStorage.removeItem(draftKey));
    await waitFor(() => expect(submit()).not.toHaveAttribute("aria-disabled"));
  });

  test("typed in another tab are found when Submit is pressed, at the latest", async () => {
    const { user } = visitReview();
    keepTyped({ loanAmount: "2450" });
    await user.click(submit());
    await expectBlocked("To submit, save or undo your changes in Lease & funds.");
  });

  test("and a missing consent are both named", async () => {
    keepTyped({ loanAmount: "2450" });
    const { user } = visitReview();
    await user.click(screen.getByRole("checkbox", { name: /confirm/ }));
    await expectBlocked(
      "To submit, save or undo your changes in Lease & funds. To submit, tick the last box to confirm your application.",
    );
  });
});

describe("after a step with unsaved changes was left with Back", () => {
  async function leaveStepThree() {
    const page = visit(<Form />, { application: newApplication(savedAnswers) });
    await page.user.click(screen.getByRole("link", { name: "Change Lease & funds" }));
    await page.user.click(screen.getByRole("button", { name: "Only the repair: $2,450" }));
    act(() => window.history.back());
    await reviewHeading();
    return page;
  }

  test("the review shows the saved amount and blocks Submit", async () => {
    await leaveStepThree();
    expect(screen.getByText("Rental Advance").nextElementSibling).toHaveTextContent(/^\$33,650paid/);
    await expectBlocked("To submit, save or undo your changes in Lease & funds.");
  });

  test("the step still has the changes, and saving them unblocks Submit", async () => {
    api.answers("submit-step-3", {});
    const { user } = await leaveStepThree();
    await user.click(stepLink("Lease & funds"));
    expect(await screen.findByLabelText("Loan amount")).toHaveValue("2450");
    await user.click(screen.getByRole("button", { name: "Next" }));
    await reviewHeading();
    expect(api.calls[0]?.body.data).toMatchObject({ loanAmount: "2450" });
    await expectSubmits();
  });

  test("undoing them restores the saved answers", async () => {
    const { user } = await leaveStepThree();
    await user.click(undo("Lease & funds"));
    await user.click(screen.getByRole("link", { name: "Change Lease & funds" }));
    expect(await screen.findByLabelText("Loan amount")).toHaveValue("33650");
    expect(screen.queryByText("We kept what you typed on this device.")).toBeNull();
  });

  test("text typed just before Back blocks Submit too", async () => {
    const { user } = visit(<Form />, { application: newApplication(savedAnswers) });
    await user.click(screen.getByRole("link", { name: "Change Landlord & property" }));
    await user.type(screen.getByLabelText("Full name"), "x");
    act(() => window.history.back());
    await reviewHeading();
    await expectBlocked("To submit, save or undo your changes in Landlord & property.");
  });
});
