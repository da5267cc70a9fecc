import { act, render, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { newApplication } from "@/__tests__/support/applicant";
import { SessionProvider } from "@/components/session/session-provider";
import type { Opened } from "@/lib/client/browser-storage";

const router = { replace: jest.fn() };
jest.mock("next/navigation", () => ({ useRouter: () => router, usePathname: () => "/home" }));

const api = fakeApi();
const refused = { status: 401, body: { success: false, message: "Token verification failed" } };
const stored = () => ({ ...localStorage });

beforeEach(() => {
  router.replace.mockClear();
  localStorage.setItem("draft_K7QM-4XRT", "{}");
  localStorage.setItem("auth_source", "ba");
});

async function open(opened?: Opened): Promise<void> {
  window.opened = opened;
  render(<SessionProvider initial={{ state: "loading" }}>screen</SessionProvider>);
  await waitFor(() => expect(api.calls).toHaveLength(1));
}

const leaves = () => waitFor(() => expect(router.replace).toHaveBeenCalledWith("/un-authorized"));

test("a stored token that is no longer valid is removed, and what was typed stays", async () => {
  api.answers("verify-token", refused);
  await open();
  await leaves();
  expect(stored()).toEqual({ auth_source: "ba", "draft_K7QM-4XRT": "{}" });
});

test("a link whose token is refused here touches nothing that is stored for another token", async () => {
  api.answers("verify-token", refused);
  await open({ token: "wrong", source: "ia" });
  await leaves();
  expect(api.calls[0]?.body.token).toBe("wrong");
  expect(stored()).toEqual({ auth_token: "token-of-a-test", auth_source: "ba", "draft_K7QM-4XRT": "{}" });
});

test("a link whose token is verified here is stored then", async () => {
  api.answers("verify-token", { body: { success: true, data: newApplication() } });
  await open({ token: "right", source: "ia" });
  await waitFor(() => expect(stored()).toMatchObject({ auth_token: "right", auth_source: "ia" }));
});

test("the token stays if the server does not answer", async () => {
  api.answers("verify-token", { status: 503, body: { success: false, message: "Away" } });
  await open();
  expect(stored()).toMatchObject({ auth_token: "token-of-a-test" });
  expect(router.replace).not.toHaveBeenCalled();
});

test.each<[string, Parameters<typeof api.answers>[1]]>([
  ["is refused by a firewall", { status: 403, body: "Forbidden" }],
  ["reaches no call", { status: 404, body: { success: false, message: "Not found" } }],
  ["is too large for a proxy", { status: 413, body: { success: false } }],
  ["is answered by a maintenance page", { body: "<h1>Back soon</h1>" }],
])("the token stays if the request %s", async (_, answer) => {
  api.answers("verify-token", answer);
  await open();
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(stored()).toMatchObject({ auth_token: "token-of-a-test" });
  expect(router.replace).not.toHaveBeenCalled();
});

test("an answer without success removes the token, whatever its status says", async () => {
  api.answers("verify-token", { status: 200, body: { success: false, message: "Token verification failed" } });
  await open();
  await leaves();
  expect(stored()).not.toHaveProperty("auth_token");
});

test("an application that was submitted elsewhere removes its own draft from this device, and no other", async () => {
  localStorage.setItem("draft_AAAA-CCCC", "{}");
  api.answers("verify-token", { body: { success: true, data: newApplication({ status: "submitted" }) } });
  await open();
  await waitFor(() => expect(Object.keys(localStorage)).not.toContain("draft_K7QM-4XRT"));
  expect(Object.keys(localStorage)).toContain("draft_AAAA-CCCC");
});
