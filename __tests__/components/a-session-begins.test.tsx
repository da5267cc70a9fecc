import { act, cleanup, render, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { inSession, newApplication, renderPage } from "@/__tests__/support/applicant";
import { mockRouter as router } from "@/__tests__/support/component-tests";
import type { Opened } from "@/lib/client/browser-storage";
import { forgetDevice } from "@/lib/client/device";
import { verifyTokenScript } from "@/lib/client/opening-script";
import type { Handoff } from "@/lib/domain/handoff";

const api = fakeApi();
const refused = { status: 401, body: { success: false, message: "Token verification failed" } };
const stored = () => ({ ...localStorage });

beforeEach(() => {
  localStorage.setItem("draft_K7QM-4XRT", "{}");
  localStorage.setItem("auth_source", "ba");
});

async function open(opened?: Opened): Promise<void> {
  window.opened = opened;
  renderPage("screen");
  await waitFor(() => expect(api.calls).toHaveLength(1));
}

const opensUnauthorizedPage = () => waitFor(() => expect(router.replace).toHaveBeenCalledWith("/un-authorized"));

// A response without success counts as a refusal, even with status 200.
test.each([401, 200])("a stored token that is refused with %d is removed, and the draft stays", async (status) => {
  api.answers("verify-token", { ...refused, status });
  await open();
  await opensUnauthorizedPage();
  expect(stored()).toEqual({ auth_source: "ba", "draft_K7QM-4XRT": "{}" });
});

test("a refused link changes nothing that is stored for another token", async () => {
  api.answers("verify-token", refused);
  await open({ token: "wrong", source: "ia" });
  await opensUnauthorizedPage();
  expect(api.calls[0]?.body.token).toBe("wrong");
  expect(stored()).toEqual({ auth_token: "token-of-a-test", auth_source: "ba", "draft_K7QM-4XRT": "{}" });
});

test("the token of a link is stored once it is verified", async () => {
  api.answers("verify-token", { body: { success: true, data: newApplication() } });
  await open({ token: "right", source: "ia" });
  await waitFor(() => expect(stored()).toMatchObject({ auth_token: "right", auth_source: "ia" }));
});

describe("a link that was opened while the database was unavailable", () => {
  const away = { status: 503, body: { success: false, message: "Away" } };
  /** Loads a page with the link, or reloads it without. */
  async function load(link: Handoff | null): Promise<void> {
    cleanup();
    const before = api.calls.length;
    new Function(verifyTokenScript(link))();
    renderPage("screen");
    await waitFor(() => expect(api.calls).toHaveLength(before + 1));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  }

  test.each([null, "token-of-another-application"])(
    "opens after a reload in its tab (stored before: %s)",
    async (token) => {
      if (token) localStorage.setItem("auth_token", token);
      else localStorage.removeItem("auth_token");
      api.answers("verify-token", away, { body: { success: true, data: newApplication() } });
      await load({ token: "right", source: "ia" });
      expect(localStorage.getItem("auth_token")).toBe(token);
      await load(null);
      expect(api.calls[1]?.body).toMatchObject({ token: "right", source: "ia" });
      await waitFor(() => expect(stored()).toMatchObject({ auth_token: "right", auth_source: "ia" }));
      expect(sessionStorage.getItem("auth_token")).toBeNull();
    },
  );

  test("is forgotten once it is refused, and the stored token stays", async () => {
    api.answers("verify-token", away, refused);
    await load({ token: "wrong", source: "ia" });
    await load(null);
    await opensUnauthorizedPage();
    expect(sessionStorage.getItem("auth_token")).toBeNull();
    expect(stored()).toMatchObject({ auth_token: "token-of-a-test", auth_source: "ba" });
  });

  test("is forgotten with the device", async () => {
    api.answers("verify-token", away);
    await load({ token: "right", source: "ia" });
    // jsdom reports that it cannot navigate.
    jest.spyOn(console, "error").mockImplementation();
    forgetDevice();
    expect([{ ...localStorage }, { ...sessionStorage }]).toEqual([{}, {}]);
  });
});

describe("the opening of a link", () => {
  const arrived = () =>
    inSession({ state: "authenticated", application: newApplication(), source: "ba" }, "screen", true);

  test("is reported once the page is on the screen, not while it is prerendered or in a background tab", async () => {
    api.answers("opened", {});
    const visibility = jest.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    render(arrived());
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(api.calls).toEqual([]);
    visibility.mockReturnValue("visible");
    for (let time = 0; time < 2; time += 1) window.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(api.calls).toEqual([{ path: "opened", body: { token: "token-of-a-test" } }]));
  });

  test("is not counted while the browser prerenders a page of a stored token", async () => {
    api.answers("verify-token", { body: { success: true, data: newApplication() } });
    Object.assign(document, { prerendering: true });
    renderPage("screen");
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(api.calls).toEqual([]);
    delete document.prerendering;
    document.dispatchEvent(new Event("prerenderingchange"));
    await waitFor(() => expect(api.calls).toHaveLength(1));
  });
});

test("the draft of an application that was submitted elsewhere is removed, and no other", async () => {
  localStorage.setItem("draft_AAAA-CCCC", "{}");
  api.answers("verify-token", { body: { success: true, data: newApplication({ status: "submitted" }) } });
  await open();
  await waitFor(() => expect(Object.keys(localStorage)).not.toContain("draft_K7QM-4XRT"));
  expect(Object.keys(localStorage)).toContain("draft_AAAA-CCCC");
});
