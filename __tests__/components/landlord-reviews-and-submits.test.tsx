import { act, screen, waitFor, within } from "@testing-library/react";
import { belowCap, cap, rentOverCap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import {
  Form,
  goToStep,
  newApplication,
  renderedConsent,
  savedAnswers,
  submitted,
  turnTo,
  visit,
} from "@/__tests__/support/applicant";
import { mockRouter as router } from "@/__tests__/support/component-tests";
import type { AnswerStep } from "@/lib/domain/journey";

const api = fakeApi();

function visitReview(changes: Partial<typeof savedAnswers> = {}, source = "ba") {
  return visit(<Form />, { application: newApplication({ ...savedAnswers, ...changes }), source });
}

function section(name: string) {
  const rows = [...screen.getByRole("region", { name }).querySelectorAll("dl > div")];
  return Object.fromEntries(rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}

const sumRows = () =>
  screen.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent).join(" "));
const authorise = () => screen.getByRole("checkbox", { name: /authorise/ });
const provide = () => screen.getByRole("checkbox", { name: /provide/ });
const confirm = () => screen.getByRole("checkbox", { name: /confirm/ });
const submit = () => screen.getByRole("button", { name: "Submit Application" });

describe("the review", () => {
  test("shows answers as people write them", () => {
    visitReview();
    expect(screen.getByRole("heading", { name: "Review your application", level: 1 })).toBeVisible();
    expect(section("Landlord & property")).toMatchObject({
      "Full name": "Ada",
      "Last name": "Byron",
      Mobile: "+61 412 345 678",
      "Email address": "ada@example.com",
      "Rental property address": "1 Wattle Lane, Sydney",
    });
    expect(section("Agent details")["Agent mobile"]).toBe("+61 2 9876 5432");
    expect(section("Lease & funds")).toMatchObject({
      "Lease start date": "March 1, 2026",
      "Lease end date": "February 28, 2027",
      "Current weekly rent": "$300",
      "Repair costs": "$2,450",
    });
    expect(section("Lease & funds")).not.toHaveProperty("Loan amount");
    expect(section("Calculation Summary")).toEqual({ "Rental Advance": "$33,650paid to Harbour Homes" });
    expect(screen.getByText(/all interest and fees in your agreement before you sign/)).toBeVisible();
    expect(screen.queryByText(/Capped/)).toBeNull();
  });

  test("shows 'Not provided' and 'Not specified' for empty answers, and no extra funds of 0", () => {
    visitReview({ mobile: "", leaseStartDate: "", currentRent: "", loanAmount: "2450" });
    expect(section("Landlord & property").Mobile).toBe("Not provided");
    expect(section("Lease & funds")["Lease start date"]).toBe("Not specified");
    expect(section("Lease & funds")["Current weekly rent"]).toBe("Not specified");
    expect(section("Lease & funds")).not.toHaveProperty("Extra funds");
    expect(screen.queryByText("Calculation Summary")).toBeNull();
  });

  test("shows ten digits that are a valid international number with their dial code, and other ten digits as the specification says", async () => {
    visitReview({ mobile: "6421234567", contactNumber: "4155550123" });
    await waitFor(() => expect(section("Landlord & property").Mobile).toBe("+64 21 234 567"));
    expect(section("Agent details")["Agent mobile"]).toBe("(415) 555-0123");
  });

  test.each([
    [rentOverCap, cap, "2450", [`* Capped at maximum loan amount of ${shownCap}`]],
    ["400", cap, belowCap(41_000_00), [`Limited to ${shownCap}`]],
    ["300", "33650", "2450", []],
  ])("with a rent of %s and a loan of %s, mentions the cap once, where it applies", (...row) => {
    const [currentRent, loanAmount, invoiceAmount, mentions] = row;
    visitReview({ currentRent, loanAmount, invoiceAmount });
    const notes = screen.queryAllByText(/^\* Capped at|^Limited to|most we can/);
    expect(notes.map(({ textContent }) => textContent)).toEqual(mentions);
  });

  test.each([
    // Columns: loan amount, invoice, rows of the sum.
    ["33650", "2450", ["Repair $2,450", "Extra funds $31,200"]],
    ["33650.49", "2450.50", ["Repair $2,451", "Extra funds $31,199"]],
    ["2450", "2450", ["Repair $2,450"]],
    ["2450.40", "2450.10", ["Repair $2,450"]],
    ["1000", "2450.50", ["Part of the repair $1,000"]],
  ])("with a loan of %s and an invoice of %s, shows a sum that adds up in whole dollars", (...row) => {
    const [loanAmount, invoiceAmount, sum] = row;
    visitReview({ currentRent: "300", loanAmount, invoiceAmount });
    expect(sumRows()).toEqual(sum);
  });

  test.each([
    ["300.50", true],
    ["300", false],
  ])("with a rent of %s, says where the exact amounts are: %s", (currentRent, isShown) => {
    visitReview({ currentRent });
    const note = "Amounts here are in whole dollars. Your receipt will show the exact amounts.";
    expect(screen.queryAllByText(note)).toHaveLength(isShown ? 1 : 0);
  });

  test("shows visitors from source ia the pre-approval number", () => {
    visitReview({}, "ia");
    expect(section("Lease & funds")["Pre-approval number"]).toBe("Not provided");
    expect(section("Lease & funds")["Invoice or Repair Costs"]).toBe("$2,450");
  });

  test("shows which steps are completed, and which is current", () => {
    visitReview();
    const steps = within(screen.getByRole("navigation", { name: "Progress" })).getAllByRole("listitem");
    expect(screen.getByText("Step 4 of 4")).toBeInTheDocument();
    expect(steps.map((step) => step.textContent)).toEqual([
      "✓Landlord & property, completed",
      "✓Agent details, completed",
      "✓Lease & funds, completed",
      "4Review & submit",
    ]);
    expect(steps.map((step) => step.getAttribute("aria-current"))).toEqual([null, null, null, "step"]);
    const changes = screen.getAllByRole("link", { name: /^Change / }).map(({ textContent }) => textContent);
    expect(changes).toEqual(["Change Landlord & property", "Change Agent details", "Change Lease & funds"]);
  });

  test("starts with the agent authorised and the loan confirmed, and clears 'authorise' or 'provide' when the other is ticked", async () => {
    const { user } = visitReview();
    const ticks = [authorise(), provide(), confirm()].map((box) => (box as HTMLInputElement).checked);
    expect(ticks).toEqual([true, false, true]);
    const choice = within(screen.getByRole("group", { name: /give us your documents/ }));
    expect(choice.getAllByRole("checkbox")).toEqual([authorise(), provide()]);
    await user.click(provide());
    expect(provide()).toBeChecked();
    expect(authorise()).not.toBeChecked();
    await user.click(authorise());
    expect(provide()).not.toBeChecked();
  });

  test("submits nothing when Enter is pressed on a box", async () => {
    const { user } = visitReview();
    await user.click(provide());
    await user.keyboard("{Enter}");
    expect(provide()).toBeChecked();
    expect(screen.getByRole("button", { name: "Submit Application" })).toBeVisible();
    expect(api.calls).toEqual([]);
  });

  test("shows the lender's licence and privacy notice beside the consent", () => {
    visitReview();
    const agreement = within(screen.getByRole("region", { name: "Consent & Agreement" }));
    expect(agreement.getByText(/Australian credit licence 000000/)).toBeVisible();
    const notice = agreement.getByRole("link", { name: /Privacy notice/ });
    expect(notice).toHaveAttribute("href", "https://wattlelane.example/privacy");
  });

  test("says why Submit is blocked", async () => {
    const { user } = visitReview();
    await user.click(confirm());
    await user.click(authorise());
    expect(submit()).toHaveAttribute("aria-disabled", "true");
    expect(submit()).toHaveAccessibleDescription(
      "To submit, choose who will give us your documents, and tick the last box to confirm your application.",
    );
    await user.click(submit());
    expect(api.calls).toEqual([]);
  });

  test.each([
    ["a receipt", submitted],
    ["nothing but success, all that the specification requires", { body: { success: true } }],
  ])("submits once, shows 'Submitting...', and after %s the confirmation and the thank-you page", async (_, reply) => {
    const answer = api.holds("submit-final");
    const { user } = visitReview();
    await user.click(provide());
    await user.dblClick(submit());
    expect(await screen.findByRole("button", { name: "Submitting..." })).toHaveAttribute("aria-disabled", "true");
    answer(reply);
    expect(await screen.findByRole("heading", { name: "Application Submitted Successfully!" })).toBeVisible();
    expect(screen.getByText("Your application has been Submitted!")).toBeVisible();
    expect(screen.getByText("K7QM-4XRT")).toBeVisible();
    // Not by the router, which would fetch the page.
    expect(window.location.pathname).toBe("/submit-success");
    expect(router.replace).not.toHaveBeenCalled();
    expect(api.calls).toHaveLength(1);
    expect(api.calls[0]?.body.data).toEqual({
      authoriseAgent: false,
      provideSelf: true,
      confirmLoan: true,
      reviewed: { answers: "as first read", consent: renderedConsent.hash },
    });
  });

  test("disables the form until the submission is answered, because a success would erase what is typed", async () => {
    let answer = (_: object) => {};
    const unavailable = { status: 503, body: { success: false } };
    api.answers("submit-final", unavailable, new Promise((resolve) => (answer = resolve)));
    const { user } = visitReview();
    await user.click(submit());
    const note = await screen.findByText(/taking longer.* we'll tell you here\.$/);
    expect(note).toBeVisible();
    // Screen readers may keep quiet about changes in a busy element.
    expect(note.closest("[aria-busy=true]")).toBeNull();
    const change = screen.getByRole("link", { name: "Change Lease & funds" });
    expect(change).toHaveAttribute("aria-disabled", "true");
    await user.click(change);
    expect(screen.getByRole("heading", { name: "Review your application" })).toBeVisible();
    goToStep(2);
    expect(await screen.findByLabelText("Agency name")).toBeDisabled();
    expect(screen.getByRole("button", { name: "Submitting..." })).toBeVisible();
    expect(screen.getByText(/taking longer.* we'll tell you here\.$/)).toBeVisible();
    answer({ status: 500, body: { success: false } });
    await waitFor(() => expect(screen.getByLabelText("Agency name")).toBeEnabled());
    const failure = screen.getByText("Submission failed: Final submission failed");
    expect(failure.closest("[tabindex]")).toHaveFocus();
  });

  test("links to the step that blocks the submission, and drops its error once it is corrected", async () => {
    const errors = { agencyName: "Agency name is required" };
    const body = { success: false, message: "Step 2 (Agent details) isn't complete", errors, data: { step: 2 } };
    api.answers("submit-final", { status: 422, body });
    const { user } = visitReview();
    await user.click(submit());
    await user.click(await screen.findByRole("button", { name: "Go to Agent details" }));
    expect(await screen.findByRole("heading", { name: "Agency Details" })).toHaveFocus();
    expect(screen.getByLabelText("Agency name")).toHaveAccessibleDescription(/Agency name is required/);
    await user.type(screen.getByLabelText("Agency name"), " Pty");
    await turnTo(user, "Back", "Landlord & property details");
    goToStep(2);
    expect(await screen.findByLabelText("Agency name")).toBeValid();
  });

  test("Back returns to the step that was shown, if the address named a later one", async () => {
    api.answers("submit-step-2", {});
    const application = newApplication({ ...savedAnswers, savedSteps: [1] });
    const { user } = visit(<Form />, { application, search: "?step=4" });
    await turnTo(user, "Next", "Lease & funds");
    act(() => window.history.back());
    expect(await screen.findByRole("heading", { name: "Agency Details" })).toBeVisible();
  });

  test("goes back one step at a time with Back, down to the first", async () => {
    const { user } = visitReview();
    for (const name of ["Lease & funds", "Agency Details", "Landlord & property details"]) {
      await user.click(screen.getByRole("button", { name: "Back" }));
      await screen.findByRole("heading", { name, level: 1 });
    }
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
  });

  test("goes back only one step after a double tap on Back", async () => {
    const application = newApplication({ ...savedAnswers, savedSteps: [] });
    api.answers("submit-step-1", {});
    api.answers("submit-step-2", {});
    const { user } = visit(<Form />, { application });
    for (const name of ["Agency Details", "Lease & funds"]) {
      await user.click(screen.getByRole("button", { name: "Next" }));
      await screen.findByRole("heading", { name, level: 1 });
    }
    await user.dblClick(screen.getByRole("button", { name: "Back" }));
    expect(await screen.findByRole("heading", { name: "Agency Details" })).toBeVisible();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(screen.getByRole("heading", { name: "Agency Details" })).toBeVisible();
  });

  // The form's Back replaces the entry behind the one that the browser's Forward leads to.
  test.each<[string, AnswerStep[], string, string, string]>([
    ["Back", [1], "Lease & funds", "Next", "Agency Details"],
    ["Next", [1, 2, 3], "Landlord & property details", "Change Landlord & property", "Review your application"],
  ])("returns with %s after going back twice and forward once", async (button, savedSteps, there, opener, here) => {
    const application = newApplication({ ...savedAnswers, savedSteps });
    api.answers("submit-step-1", {});
    api.answers("submit-step-2", {});
    const { user } = visit(<Form />, { application });
    const comesTo = (name: string) => screen.findByRole("heading", { name, level: 1 });
    await user.click(screen.getByRole(opener === "Next" ? "button" : "link", { name: opener }));
    await comesTo(there);
    act(() => window.history.back());
    await comesTo(here);
    await user.click(screen.getByRole("button", { name: "Back" }));
    await waitFor(() => expect(screen.queryByRole("heading", { name: here })).toBeNull());
    act(() => window.history.forward());
    await comesTo(there);
    await user.click(screen.getByRole("button", { name: button }));
    expect(await comesTo(here)).toBeVisible();
  });
});
