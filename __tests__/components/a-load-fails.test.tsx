import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication, renderPage } from "@/__tests__/support/applicant";
import { mockRouter } from "@/__tests__/support/component-tests";
import { Gate } from "@/components/session/gate";

const api = fakeApi();
const away = { status: 503, body: { success: false, message: "Away" } };

function open() {
  window.opened = undefined;
  renderPage(
    <main id="main" tabIndex={-1}>
      <Gate>screen</Gate>
    </main>,
  );
  return userEvent.setup();
}

test("a failed load shows a banner that can be dismissed, and a second failure shows it again", async () => {
  const awayAgain = { ...away, headers: { "x-request-id": "request-1234" } };
  api.answers("verify-token", away, awayAgain, { body: { success: true, data: newApplication() } });
  const user = open();
  expect(await screen.findByText("Failed to load form data")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Dismiss: Failed to load form data" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Failed to load form data")).toBeVisible();
  expect(screen.getByText("If you contact us, quote request-.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("screen")).toBeVisible();
});

test("a retry keeps the focus in the page, although its button disappears", async () => {
  api.answers("verify-token", away, away, { body: { success: true, data: newApplication() } });
  const user = open();
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(screen.getByRole("main")).toHaveFocus();
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  await screen.findByText("screen");
  expect(screen.getByRole("main")).toHaveFocus();
});

test.each<[string, Parameters<typeof api.answers>[1], string]>([
  ["too many requests", { status: 429, headers: { "retry-after": "300" } }, "Try again in 5 minutes."],
  ["an unavailable database", { status: 503, headers: { "retry-after": "5" } }, "Try again in 5 seconds."],
  ["a server error", { status: 500 }, "Try again in a moment."],
  ["a 403 from a proxy", { status: 403, body: "Forbidden" }, "Try again in a moment."],
  ["a 404 from a proxy", { status: 404, body: { success: false, message: "Not found" } }, "Try again in a moment."],
  ["a 413 from a proxy", { status: 413 }, "Try again in a moment."],
  ["a network failure", "no network", "Check your connection and try again."],
  ["a maintenance page", { body: "<h1>Back soon</h1>" }, "Try again in a moment."],
  ["a success without the application", { body: { success: true } }, "Try again in a moment."],
])("after %s, the page says when to try again and keeps the stored token", async (_, answer, advice) => {
  api.answers("verify-token", typeof answer === "object" ? { body: { success: false }, ...answer } : answer);
  open();
  expect(await screen.findByText(`You haven't lost anything. ${advice}`)).toBeVisible();
  expect(localStorage.getItem("auth_token")).toBe("token-of-a-test");
  expect(mockRouter.replace).not.toHaveBeenCalled();
});
