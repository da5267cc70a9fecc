import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { renderPage } from "@/__tests__/support/applicant";
import { mockPage, mockRouter as router } from "@/__tests__/support/component-tests";
import { UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";
import { dropToken, type Opened } from "@/lib/client/browser-storage";
import { dropTokenScript } from "@/lib/client/opening-script";

const api = fakeApi();
const sent = /If the link was ours, a new one is on its way/;
const button = () => screen.queryByRole("button", { name: "Send me a new link" });

/** Shows the 401 page in the document whose token was refused. */
function refused(opened: Opened | undefined, sends = true) {
  window.opened = opened;
  dropToken();
  mockPage.path = "/un-authorized";
  renderPage(<UnauthorizedScreen sends={sends} />);
  return userEvent.setup();
}

const dead: Opened = { token: "dead", source: "ba" };

beforeEach(() => {
  window.refused = undefined;
});

test("a visitor with an expired link asks for a fresh one and reads where it is sent", async () => {
  api.answers("fresh-link", { status: 202, body: { success: true, message: "as the server says" } });
  const user = refused(dead);
  await user.click(button() as HTMLElement);
  const status = (await screen.findByText(sent)).closest("[role=status]");
  expect(status).toHaveTextContent(/to the mobile or email we first contacted.*call or email us/);
  expect(api.calls).toEqual([{ path: "fresh-link", body: { token: "dead" } }]);
});

test("repeated presses send one request, and the button keeps the focus", async () => {
  api.answers("fresh-link", { status: 202 });
  const user = refused(dead);
  while (document.activeElement !== button()) await user.tab();
  await user.keyboard("{Enter}{Enter}");
  await screen.findByText(sent);
  expect(button()).toHaveFocus();
  await user.click(button() as HTMLElement);
  expect(api.calls).toHaveLength(1);
});

test("without a network the page says so, and the next tap asks again", async () => {
  api.answers("fresh-link", "no network", { status: 202 });
  const user = refused(dead);
  await user.click(button() as HTMLElement);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "We couldn't send you a new linkCheck your connection and try again.",
  );
  await user.click(button() as HTMLElement);
  expect(await screen.findByText(sent)).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a visitor who asks too often reads how long to wait", async () => {
  const body = { success: false, message: "Too many requests" };
  api.answers("fresh-link", { status: 429, body, headers: { "retry-after": "480" } });
  const user = refused(dead);
  await user.click(button() as HTMLElement);
  expect(await screen.findByText("Try again in 8 minutes. You can also call us.")).toBeVisible();
});

test.each<[string, Opened | undefined, sends: boolean]>([
  ["where nothing can be sent", dead, false],
  ["where it was opened without a link", undefined, true],
  ["for a token that was removed from the device", { ...dead, kept: true }, true],
])("the page offers no fresh link %s", (_, opened, sends) => {
  localStorage.removeItem("auth_token");
  refused(opened, sends);
  expect(button()).toBeNull();
});

test.each([
  ["the server has refused", () => new Function(dropTokenScript("dead"))(), "unauthorized"],
  ["is refused later", () => Object.assign(window, { opened: dead }), "loading"],
] as const)("the page remembers a link that %s, and stores it nowhere", async (_, open, state) => {
  api.answers("verify-token", { status: 401, body: { success: false } });
  window.opened = undefined;
  open();
  renderPage("screen", state);
  await waitFor(() => expect(router.replace).toHaveBeenCalledWith("/un-authorized"));
  expect(window.refused).toBe("dead");
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("dead");
});
