import { act, screen, waitFor } from "@testing-library/react";
import { type FakeReply, fakeApi } from "@/__tests__/support/api";
import { Form, goToStep, newApplication, savedAnswers, turnTo, visit } from "@/__tests__/support/applicant";
import { mockRouter } from "@/__tests__/support/component-tests";
import { reportFigure } from "@/__tests__/support/size";
import { dropToken } from "@/lib/client/browser-storage";
import type { AnswerStep } from "@/lib/domain/journey";

const api = fakeApi();
const atStepTwo = { ...savedAnswers, savedSteps: [1] as AnswerStep[] };

function visitStepTwo() {
  return visit(<Form />, { application: newApplication(atStepTwo) });
}

async function changeAgencyAndGoOn(user: ReturnType<typeof visit>["user"], agency = "Quay Lettings") {
  await user.clear(screen.getByLabelText("Agency name"));
  await user.type(screen.getByLabelText("Agency name"), agency);
  await user.click(screen.getByRole("button", { name: "Next" }));
}

/** Changes the agency and presses Next. The API answers with these replies. */
async function saveStepTwo(...replies: FakeReply[]) {
  api.answers("submit-step-2", ...replies);
  const visited = visitStepTwo();
  await changeAgencyAndGoOn(visited.user);
  return visited;
}

const requestId = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";
const waitForCalls = (times: number) => waitFor(() => expect(api.calls).toHaveLength(times));

async function reconnect() {
  const note = await screen.findByText(/still trying/);
  // Screen readers may keep quiet about changes in a busy element.
  expect(note.closest("[aria-busy=true]")).toBeNull();
  act(() => void window.dispatchEvent(new Event("online")));
}

const start = globalThis.setTimeout;
/** Makes pauses an hour long, so that only the device's return online ends one, however busy the machine is. */
beforeEach(() => {
  const startPause = (end: () => void, ms?: number) => start(end, ms === 1000 || ms === 2500 ? 3_600_000 : ms);
  globalThis.setTimeout = Object.assign(startPause, start);
});
afterEach(() => {
  globalThis.setTimeout = start;
});

describe("saving a step", () => {
  test("shows the server's message in a banner that can be dismissed, and keeps the typed text", async () => {
    const body = { success: false, message: "This address is not in our area" };
    const { user } = await saveStepTwo({ status: 422, body, headers: { "x-request-id": requestId } });
    const banner = await screen.findByRole("alert");
    expect(banner).toHaveTextContent("This address is not in our area");
    expect(banner).not.toHaveTextContent("quote");
    expect(screen.getByLabelText("Agency name")).toHaveValue("Quay Lettings");
    expect(screen.getByRole("heading", { name: "Agency Details" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Dismiss: This address is not in our area" }));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("shows the specification's message, and what to quote, when the server gives none", async () => {
    await saveStepTwo({ status: 500, body: { success: false }, headers: { "x-request-id": requestId } });
    expect(await screen.findByText("Step 2 submission failed")).toBeVisible();
    expect(screen.getByText("If you contact us, quote K7QM-4XRT and 1b9d6bcd.")).toBeVisible();
  });

  test("shows the specification's message when a gateway's message is not text", async () => {
    await saveStepTwo({ status: 500, body: { success: false, message: { code: "X" } } as never });
    expect(await screen.findByText("Step 2 submission failed")).toBeVisible();
  });

  test("shows only that it failed when the server answers 200 without success or a message", async () => {
    await saveStepTwo({ body: { success: false } });
    expect(await screen.findByText("Submission failed")).toBeVisible();
  });

  test("shows a notice, not an error, when the application was submitted elsewhere", async () => {
    const body = { success: false, message: "You've already submitted this application" };
    await saveStepTwo({ status: 409, body, headers: { "x-request-id": requestId } });
    const news = (await screen.findByText(body.message)).closest("[role]");
    expect(news).toHaveAttribute("role", "status");
    expect(news).not.toHaveTextContent("quote");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByRole("button", { name: "See your application's status" })).toBeVisible();
    // Nobody can use the draft any more, and it is personal data.
    expect(Object.keys(localStorage).filter((key) => key.startsWith("draft_"))).toEqual([]);
  });

  test("keeps an error that the server reported until the field changes", async () => {
    const errors = { agencyName: "Agency name is not known to us" };
    const { user } = await saveStepTwo({ status: 422, body: { success: false, message: "Please check", errors } });
    const summary = await screen.findByRole("alert", { name: "There is a problem" });
    expect(summary).toHaveFocus();
    await user.click(screen.getByLabelText("Agent last name"));
    await user.tab();
    expect(screen.getByLabelText("Agency name")).toHaveAccessibleDescription(/Agency name is not known to us/);
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitForCalls(2);
    await user.type(screen.getByLabelText("Agency name"), " Pty");
    await user.tab();
    expect(screen.getByRole("region", { name: "All corrected. Press Next to continue." })).toBeVisible();
    expect(screen.getByLabelText("Agency name")).not.toHaveAccessibleDescription(/not known/);
  });

  test.each<[string, Record<string, string>]>([
    ["alone", { abn: "ABN is required" }],
    ["beside one that it has", { abn: "ABN is required", agencyName: "Agency name is not known to us" }],
    ["that no link of this source has", { source: "Source is not valid" }],
  ])("says that the page is out of date after an error for a field that it does not have, %s", async (_, errors) => {
    const body = { success: false, message: "Please check the marked answers", errors };
    const { user } = await saveStepTwo({ status: 422, body }, {});
    expect(await screen.findByText("This page is out of date. Reload it.")).toBeVisible();
    expect(screen.getByText("What you typed is kept.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Reload" })).toBeVisible();
    expect(screen.queryByText(body.message)).toBeNull();
    if (errors.agencyName) expect(screen.getByRole("link", { name: errors.agencyName })).toBeVisible();
    await turnTo(user, "Next", "Lease & funds");
  });

  test("does not promise that what was typed is kept where nothing is stored", async () => {
    jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("Full", "QuotaExceededError");
    });
    await saveStepTwo({ status: 422, body: { success: false, errors: { abn: "ABN is required" } } });
    expect(await screen.findByText("This page is out of date. Reload it.")).toBeVisible();
    expect(screen.queryByText("What you typed is kept.")).toBeNull();
  });

  test("offline sends nothing, says only that it will try again, and saves once online", async () => {
    const online = jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const { user } = await saveStepTwo({});
    const retry = "Keep this page open, and we'll try again when you're back online.";
    expect(await screen.findByText(`We've kept what you typed on this device. ${retry}`)).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
    await user.type(screen.getByLabelText("Agency name"), "!");
    expect(screen.queryByText(/we'll try again/)).toBeNull();
    await user.type(screen.getByLabelText("Agency name"), "{Backspace}");
    online.mockReturnValue(true);
    expect(api.calls).toEqual([]);
    act(() => void window.dispatchEvent(new Event("online")));
    await screen.findByRole("heading", { name: "Lease & funds" });
  });

  test.each<[string, FakeReply]>([
    ["the network", "no network"],
    ["the connection", "cut off"],
    ["the database", { status: 503, body: { success: false, message: "Away" } }],
  ])("retries once %s is back", async (_, reply) => {
    await saveStepTwo(reply, {});
    await reconnect();
    expect(await screen.findByRole("heading", { name: "Lease & funds" })).toHaveFocus();
    expect(api.calls[1]).toEqual(api.calls[0]);
  });

  test("shows 'Failed to submit step 2' after three attempts, and retries once the network is back", async () => {
    await saveStepTwo("no network", "no network", "no network", {});
    await waitForCalls(1);
    await reconnect();
    await waitForCalls(2);
    await reconnect();
    expect(await screen.findByText("Failed to submit step 2")).toBeVisible();
    expect(api.calls).toHaveLength(3);
    act(() => void window.dispatchEvent(new Event("online")));
    await screen.findByRole("heading", { name: "Lease & funds" });
    expect(screen.queryByText("Failed to submit step 2")).toBeNull();
  });

  test("does not save later text once the network is back if the step was left after three attempts", async () => {
    api.answers("submit-step-2", "no network");
    const { user } = visitStepTwo();
    await changeAgencyAndGoOn(user, "Quay");
    await waitForCalls(1);
    await reconnect();
    await waitForCalls(2);
    await reconnect();
    await screen.findByText("Failed to submit step 2");
    await user.type(screen.getByLabelText("Agency name"), " Let");
    await turnTo(user, "Back", "Landlord & property details");
    goToStep(2);
    expect(await screen.findByLabelText("Agency name")).toHaveValue("Quay Let");
    act(() => void window.dispatchEvent(new Event("online")));
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(api.calls).toHaveLength(3);
  });

  test("says when to try again after too many calls, and does not retry", async () => {
    const body = { success: false, message: "Too many requests" };
    await saveStepTwo({ status: 429, body, headers: { "retry-after": "90" } });
    expect(await screen.findByText(/Try again in 2 minutes/)).toBeVisible();
    expect(api.calls).toHaveLength(1);
  });

  test("ends the session when the link is no longer valid", async () => {
    await saveStepTwo({ status: 401, body: { success: false } });
    await waitFor(() => expect(mockRouter.replace).toHaveBeenCalledWith("/un-authorized"));
  });

  test("shows 'No token found' when no token is stored", async () => {
    const { user } = visitStepTwo();
    localStorage.removeItem("auth_token");
    await changeAgencyAndGoOn(user);
    expect(await screen.findByText("No token found")).toBeVisible();
  });

  test("saves text that was typed during a save as well", async () => {
    const answer = api.holds("submit-step-2", {});
    const { user } = visitStepTwo();
    await changeAgencyAndGoOn(user, "Quay");
    await waitForCalls(1);
    await user.type(screen.getByLabelText("Agency name"), " Lettings");
    await user.tab();
    answer({});
    await screen.findByRole("heading", { name: "Lease & funds" });
    expect(api.calls.map(({ body }) => body.data.agencyName)).toEqual(["Quay", "Quay Lettings"]);
    await turnTo(user, "Back", "Agency Details");
    expect(screen.getByLabelText("Agency name")).toHaveValue("Quay Lettings");
    reportFigure(4, "a late answer left what was typed meanwhile on the screen");
  });

  test("shows the error of an invalid change made during a save, and saves only the first text", async () => {
    const answer = api.holds("submit-step-2");
    const { user, seen } = visitStepTwo();
    await changeAgencyAndGoOn(user, " Quay ");
    await waitForCalls(1);
    expect(screen.getByLabelText("Agency name")).toHaveValue("Quay");
    await user.clear(screen.getByLabelText("Agency name"));
    answer({});
    await screen.findByRole("alert", { name: "There is a problem" });
    expect(screen.getByRole("alert")).toHaveTextContent("Agency name is required");
    expect(seen.application).toMatchObject({ agencyName: "Quay", savedSteps: [1, 2] });
    expect(api.calls).toHaveLength(1);
  });

  test("does not retry a save once the page has opened another application", async () => {
    await saveStepTwo("no network", {});
    await screen.findByText(/still trying/);
    dropToken();
    localStorage.setItem("auth_token", "token of another application");
    act(() => void window.dispatchEvent(new Event("online")));
    expect(await screen.findByText("No token found")).toBeVisible();
    expect(api.calls.map(({ body }) => body.token)).toEqual(["token-of-a-test"]);
  });

  test("stays on the earlier step when the response arrives after Back", async () => {
    api.answers("submit-step-1", {});
    const answer = api.holds("submit-step-2");
    const { user, seen } = visit(<Form />, { application: newApplication({ ...savedAnswers, savedSteps: [] }) });
    await turnTo(user, "Next", "Agency Details");
    await changeAgencyAndGoOn(user);
    await waitForCalls(2);
    act(() => window.history.back());
    await screen.findByRole("heading", { name: "Landlord & property details" });
    await user.clear(screen.getByLabelText("Full name"));
    await user.type(screen.getByLabelText("Full name"), "Augusta");
    answer({});
    await waitFor(() => expect(seen.application.savedSteps).toEqual([1, 2]));
    expect(screen.getByRole("heading", { name: "Landlord & property details" })).toBeVisible();
    expect(screen.getByLabelText("Full name")).toHaveValue("Augusta");
  });

  test("shows a notice while the device is offline", async () => {
    const online = jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    visitStepTwo();
    expect(screen.getByText("You're offline.")).toBeVisible();
    online.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event("online")));
    expect(screen.queryByText("You're offline.")).toBeNull();
  });
});
