import { screen, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { Form, newApplication, ReviewPage, savedAnswers, submitted, visit } from "@/__tests__/support/applicant";
import { mockRouter as router } from "@/__tests__/support/component-tests";

const api = fakeApi();

describe("/review&submit", () => {
  test("shows the whole application, and submits it", async () => {
    api.answers("submit-final", submitted);
    const { user } = visit(<ReviewPage />, { application: newApplication(savedAnswers) });
    expect(screen.getByRole("heading", { name: "Review Your Application", level: 1 })).toBeVisible();
    expect(screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent)).toEqual([
      "Personal Details",
      "Property & Rental Details",
      "Agency Details",
      "Calculation Summary",
      "Consent & Agreement",
    ]);
    expect(screen.getAllByRole("checkbox")).toHaveLength(3);
    await user.click(screen.getByRole("button", { name: "Submit Application" }));
    expect(await screen.findByRole("heading", { name: "Application Submitted Successfully!" })).toBeVisible();
    expect(screen.getByText("Your application has been Submitted!")).toBeVisible();
    expect(window.location.pathname).toBe("/submit-success");
    expect(router.replace).not.toHaveBeenCalled();
  });

  test("links each section to its step", async () => {
    const { user } = visit(<ReviewPage />, { application: newApplication(savedAnswers) });
    const links = screen.getAllByRole("link", { name: /^Change / });
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Change personal details", "/home?step=1&then=review-page#firstName"],
      ["Change address", "/home?step=1&then=review-page#propertyAddress"],
      ["Change lease & funds", "/home?step=3&then=review-page#leaseStartDate"],
      ["Change agent details", "/home?step=2&then=review-page#agencyName"],
    ]);
    await user.click(screen.getByRole("link", { name: "Change lease & funds" }));
    expect(window.location.href).toMatch(/\/home\?step=3&then=review-page#leaseStartDate$/);
    expect(router.push).not.toHaveBeenCalled();
  });

  test("goes back to step 3", async () => {
    const { user } = visit(<ReviewPage />, { application: newApplication(savedAnswers) });
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(window.location.href).toMatch(/\/home\?step=3$/);
  });

  test("links to the first missing step, and says why Submit is blocked", async () => {
    const { user } = visit(<ReviewPage />, { application: newApplication({ ...savedAnswers, savedSteps: [1] }) });
    expect(screen.getByRole("link", { name: "Continue with Agent details" })).toHaveAttribute("href", "/home?step=2");
    // A later step opens only once the agent's is complete.
    const changes = screen.getAllByRole("link", { name: /^Change / }).map(({ textContent }) => textContent);
    expect(changes).toEqual(["Change personal details", "Change address", "Change agent details"]);
    const submit = screen.getByRole("button", { name: "Submit Application" });
    expect(submit).toHaveAccessibleDescription("To submit, complete your application first.");
    await user.click(submit);
    expect(api.calls).toEqual([]);
  });
});

test("a Change link lands on its field", async () => {
  visit(<Form />, { application: newApplication(savedAnswers), search: "?step=1&then=review-page#propertyAddress" });
  expect(await screen.findByLabelText("Rental property address")).toHaveFocus();
});

test("a step opened from /review&submit returns there with Next in the same document, which keeps the token", async () => {
  api.answers("submit-step-2", {});
  const application = newApplication(savedAnswers);
  const { user } = visit(<Form />, { application, search: "?step=2&then=review-page" });
  await user.click(screen.getByRole("button", { name: "Next" }));
  await waitFor(() => expect(window.location.pathname).toBe("/review&submit"));
  expect(router.push).not.toHaveBeenCalled();
});
