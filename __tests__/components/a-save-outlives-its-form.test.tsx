import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { Form, newApplication, ReviewPage, rowOf as row, savedAnswers, visit } from "@/__tests__/support/applicant";

const api = fakeApi();
const button = (name: string) => screen.getByRole("button", { name });
const waitForCalls = (times: number) => waitFor(() => expect(api.calls).toHaveLength(times));

describe("the review, opened while a save is pending", () => {
  async function goBackDuringSave() {
    const answer = api.holds("submit-step-3");
    const search = "?step=3&then=review-page";
    const page = visit(<Form />, { application: newApplication(savedAnswers), search });
    await page.user.click(screen.getByRole("button", { name: "Only the repair: $2,450" }));
    await page.user.click(button("Next"));
    await waitForCalls(1);
    page.go(<ReviewPage />, "/review&submit");
    return { ...page, answer };
  }

  test("ignores Undo until the response arrives, then shows what the save has changed", async () => {
    const { user, answer } = await goBackDuringSave();
    await user.click(button("Undo changes in Lease & funds"));
    expect(screen.queryByText(/We've undone/)).toBeNull();
    expect(button("Saving...")).toHaveAttribute("aria-busy", "true");
    const elsewhere = { agencyName: "Harbour & Hill", version: "as saved" };
    const application = newApplication({ ...savedAnswers, ...elsewhere, loanAmount: "2450" });
    answer({ body: { success: true, data: application as never } });
    await waitFor(() => expect(row("Rental Advance")).toBe("$2,450paid to Harbour & Hill"));
    expect(row("Agency name")).toBe("Harbour & HillChanged since you read it, from Harbour Homes");
    expect(screen.queryByText(/haven't saved them/)).toBeNull();
    await waitFor(() => expect(button("Submit Application")).not.toHaveAttribute("aria-disabled"));
    api.answers("submit-final", "no network");
    await user.click(button("Submit Application"));
    await waitFor(() => expect(api.calls[1]?.body.data.reviewed).toMatchObject({ answers: "as saved" }));
  });

  test("undoes the changes once the save has failed", async () => {
    const { user, answer } = await goBackDuringSave();
    answer({ status: 500, body: { success: false } });
    await waitFor(() => expect(button("Undo changes in Lease & funds")).not.toHaveAttribute("aria-disabled"));
    await user.click(button("Undo changes in Lease & funds"));
    expect(screen.getByText(/^We've undone your changes in Lease & funds/)).toBeVisible();
    expect(row("Rental Advance")).toBe("$33,650paid to Harbour Homes");
  });

  test("ignores the response once the page has opened another application", async () => {
    const { seen, answer } = await goBackDuringSave();
    window.opened = { token: "token of another application", source: "ba" };
    answer({ body: { success: true, data: newApplication({ agencyName: "Eve's" }) as never } });
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(seen.application.agencyName).toBe("Harbour Homes");
  });
});

test("a retry that began before the form was left does not overwrite a later correction", async () => {
  // Only the device's return online ends a pause as long as this one.
  api.answers("submit-step-1", { status: 503, body: { success: false }, headers: { "retry-after": "5" } }, {});
  const application = newApplication({ ...savedAnswers, firstName: "Adaa", savedSteps: [] });
  const { user, go } = visit(<Form />, { application });
  await user.click(button("Next"));
  await screen.findByText(/still trying/);
  go(<p>The landing page</p>);
  go(<Form />);
  fireEvent.change(screen.getByLabelText("Full name"), { target: { value: "Ada" } });
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(button("Next")).not.toHaveAttribute("aria-busy"));
  await user.click(button("Next"));
  await screen.findByRole("heading", { name: "Agency Details" });
  expect(api.calls.map(({ body }) => body.data.firstName)).toEqual(["Adaa", "Ada"]);
});

test("Next works again after the form was left while Next was validating it", async () => {
  api.answers("submit-step-1", {});
  const { user, go } = visit(<Form />, { application: newApplication({ ...savedAnswers, savedSteps: [] }) });
  fireEvent.submit(button("Next").closest("form") as HTMLFormElement);
  go(<p>The landing page</p>);
  go(<Form />);
  await waitFor(() => expect(button("Next")).not.toHaveAttribute("aria-busy"));
  await user.click(button("Next"));
  await screen.findByRole("heading", { name: "Agency Details" });
});
