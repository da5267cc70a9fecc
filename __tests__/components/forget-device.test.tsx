import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, renderPage, savedAnswers, visit } from "@/__tests__/support/applicant";
import { mockPage } from "@/__tests__/support/component-tests";
import { DeviceAdvice } from "@/components/outcome/device-advice";
import { ForgottenScreen } from "@/components/outcome/unauthorized-screen";
import { ApplicantBar } from "@/components/session/applicant-bar";
import { pageToken } from "@/lib/client/browser-storage";

fakeApi();
const button = (name: string) => screen.getByRole("button", { name });
const draftOf = (answers: object) => JSON.stringify({ answers, countries: { mobile: "AU" }, at: Date.now() });
const typed = draftOf({ firstName: { typed: "Ade", over: "Ada" } });
const asks = "Remove this application from this device?";
const kept = "What's saved stays with us. The link in our message opens it again.";
const loss = "You'll lose anything you typed but didn't save.";
const stored = () => Object.keys(localStorage).sort();

test.each([
  ["nothing was typed", null, `${asks}${kept}`],
  ["only a country was chosen", draftOf({}), `${asks}${kept}`],
  ["something was typed", typed, `${asks}${loss} ${kept}`],
])("'Not Ada?' asks first if %s, and 'Cancel' changes nothing", async (_, draft, question) => {
  if (draft) localStorage.setItem("draft_K7QM-4XRT", draft);
  const before = stored();
  const { user } = visit(<ApplicantBar />, { application: newApplication(savedAnswers) });
  await user.dblClick(button("Not Ada?"));
  // A second tap does not close the panel, so the button does not claim to.
  expect(button("Not Ada?")).not.toHaveAttribute("aria-expanded");
  expect(await screen.findByRole("alert")).toHaveTextContent(question);
  expect(stored()).toEqual(before);
  await user.click(button("Cancel"));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(button("Not Ada?")).toHaveFocus();
  expect(stored()).toEqual(before);
});

test.each([
  ["Alexandra Maria", "Not Alexandra?"],
  [" ", "Not you?"],
])("the button for the first name '%s' reads '%s'", (firstName, name) => {
  visit(<ApplicantBar />, { application: newApplication({ ...savedAnswers, firstName }) });
  expect(button(name)).toBeVisible();
});

test("a right-to-left name does not reorder the reference beside it", () => {
  const application = newApplication({ ...savedAnswers, firstName: "محمد", lastName: "علي" });
  visit(<ApplicantBar />, { application: { ...application, reference: "3K7Q-M4XR" } });
  // Only an isolated text lets a digit beside it stand where it was written. Outside it, the 3 would move before the name.
  expect(screen.getByText("محمد علي").tagName).toBe("BDI");
  expect(screen.getByRole("region", { name: "Applicant" })).toHaveTextContent("محمد علي, 3K7Q-M4XR");
});

test("a page whose browser stores nothing forgets its link as well", async () => {
  localStorage.clear();
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });
  const opened = { token: "only on this page", source: "ba", drafts: { "draft_K7QM-4XRT": typed } };
  const { user } = visit(<ApplicantBar />, { application: newApplication(savedAnswers), opened });
  await user.click(button("Not Ada?"));
  jest.spyOn(console, "error").mockImplementation();
  await user.click(button("Forget this device"));
  expect(pageToken()).toBeNull();
  expect(window.opened?.drafts).toBeUndefined();
});

test.each(["", "?utm_source=sms"])(
  "on the 401 page%s, 'Forget this device' asks before it removes a draft",
  async (query) => {
    localStorage.removeItem("auth_token");
    localStorage.setItem("draft_K7QM-4XRT", typed);
    mockPage.path = "/un-authorized";
    renderPage(<DeviceAdvice />);
    const user = userEvent.setup();
    window.history.replaceState(null, "", `/un-authorized${query}`);
    await user.click(button("Forget this device"));
    await user.click(button("Cancel"));
    expect(button("Forget this device")).toHaveFocus();
    await user.click(button("Forget this device"));
    expect(screen.getByRole("alert")).toHaveTextContent(`${asks}${loss} ${kept}`);
    expect(localStorage.getItem("draft_K7QM-4XRT")).toBe(typed);
    const logged = jest.spyOn(console, "error").mockImplementation();
    await user.click(within(screen.getByRole("alert")).getByRole("button", { name: "Forget this device" }));
    expect(stored()).toEqual([]);
    // jsdom loads no other document, and logs that one was requested.
    expect(String(logged.mock.calls)).toContain("navigation");
  },
);

test("the page after forgetting links to an application that was opened again since", () => {
  localStorage.clear();
  const link = () => screen.queryByRole("link", { name: "Continue" });
  mockPage.path = "/un-authorized";
  renderPage(<ForgottenScreen />).unmount();
  expect(link()).toBeNull();
  localStorage.setItem("auth_token", "opened again");
  renderPage(<ForgottenScreen />);
  expect(link()).toHaveAttribute("href", "/");
});
