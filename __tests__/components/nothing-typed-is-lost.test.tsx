import { fireEvent, screen, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import {
  draftKey,
  Form,
  goToStep,
  keepDraft,
  newApplication,
  savedAnswers,
  turnTo,
  visit,
} from "@/__tests__/support/applicant";
import type { AnswerStep } from "@/lib/domain/journey";

const api = fakeApi();
const draft = () => localStorage.getItem(draftKey);

describe("unsaved text", () => {
  test("is restored after a reload, with a notice", async () => {
    const first = visit(<Form />);
    await first.user.type(screen.getByLabelText("Full name"), "Ada");
    await waitFor(() => expect(draft()).toContain("Ada"));
    first.unmount();
    const { user } = visit(<Form />);
    expect(screen.getByLabelText("Full name")).toHaveValue("Ada");
    expect(screen.getByText("We kept what you typed on this device.")).toBeVisible();
    // The heading takes the focus on arrival from the landing.
    expect(screen.getByRole("heading", { level: 1 })).toHaveAccessibleDescription(
      "We kept what you typed on this device. We've filled it in again, but it isn't saved yet.",
    );
    await user.click(screen.getByRole("button", { name: "Dismiss: We kept what you typed on this device" }));
    expect(screen.queryByText("We kept what you typed on this device.")).toBeNull();
  });

  test("is announced on its own step only, and no longer once it is saved", async () => {
    keepDraft({ agencyName: { typed: "Quay Lettings", over: savedAnswers.agencyName } });
    api.answers("submit-step-1", {});
    api.answers("submit-step-2", {});
    const { user } = visit(<Form />, { application: newApplication(savedAnswers), search: "?step=1" });
    const notice = () => screen.queryByText("We kept what you typed on this device.");
    expect(notice()).toBeNull();
    await turnTo(user, "Next", "Agency Details");
    expect(notice()).toBeVisible();
    // The heading takes the focus with every step, and announces the notice. Another announcement would repeat it.
    const heading = screen.getByRole("heading", { level: 1 });
    expect(heading).toHaveFocus();
    expect(heading).toHaveAccessibleDescription(/^We kept what you typed on this device/);
    expect(notice()?.closest("[role=status]")).toBeNull();
    await turnTo(user, "Next", "Lease & funds");
    expect(notice()).toBeNull();
    await turnTo(user, "Back", "Agency Details");
    expect(notice()).toBeNull();
    // What is typed now was not restored.
    await user.type(screen.getByLabelText("Agency name"), " Pty");
    await turnTo(user, "Back", "Landlord & property details");
    await turnTo(user, "Next", "Agency Details");
    expect(screen.getByLabelText("Agency name")).toHaveValue("Quay Lettings Pty");
    expect(notice()).toBeNull();
  });

  test.each([
    ["nothing was saved", ""],
    ["another date was saved", "2026-03-01"],
  ])("is not announced for a partial date, which cannot be restored, where %s", async (_, leaseStartDate) => {
    const application = newApplication({ ...savedAnswers, leaseStartDate, savedSteps: [1, 2] });
    const first = visit(<Form />, { application });
    const start = screen.getByLabelText("Lease start date");
    await first.user.clear(start);
    // jsdom's date inputs have no separate parts, so the test sets their validity.
    Object.defineProperty(start, "validity", { get: () => ({ badInput: true }) });
    await first.user.click(start);
    await first.user.tab();
    await screen.findByText(/isn't complete/);
    first.unmount();
    visit(<Form />, { application });
    expect(screen.getByLabelText("Lease start date")).toHaveValue(leaseStartDate);
    expect(screen.queryByText("We kept what you typed on this device.")).toBeNull();
  });

  test("is not announced for a checkbox", async () => {
    const application = newApplication(savedAnswers);
    const first = visit(<Form />, { application });
    await first.user.click(screen.getByRole("checkbox", { name: /provide/ }));
    await waitFor(() => expect(draft()).toContain("provideSelf"));
    first.unmount();
    const { user } = visit(<Form />, { application });
    expect(screen.getByRole("checkbox", { name: /provide/ })).toBeChecked();
    await user.click(screen.getByRole("link", { name: "Change Lease & funds" }));
    await screen.findByLabelText("Loan amount");
    expect(screen.queryByText("We kept what you typed on this device.")).toBeNull();
  });

  test("is on the device with every letter", () => {
    visit(<Form />);
    fireEvent.change(screen.getByLabelText("Full name"), { target: { value: "Ad" } });
    expect(draft()).toContain('"typed":"Ad"');
  });

  test("is removed from the device once it is saved", async () => {
    api.answers("submit-step-2", {});
    const { user } = visit(<Form />, { application: newApplication({ ...savedAnswers, savedSteps: [1] }) });
    await user.type(screen.getByLabelText("Agency name"), " Pty");
    await user.tab();
    expect(draft()).toContain("Harbour Homes Pty");
    await turnTo(user, "Next", "Lease & funds");
    expect(draft()).toBeNull();
  });

  test("gives way to a later save from another device", () => {
    keepDraft({ firstName: { typed: "Ada", over: "" } });
    const application = newApplication({ firstName: "Augusta", savedSteps: [1] });
    visit(<Form />, { application, search: "?step=1" });
    expect(screen.getByLabelText("Full name")).toHaveValue("Augusta");
    expect(screen.queryByText("We kept what you typed on this device.")).toBeNull();
  });

  test.each([
    ["6 days ago", 6, "Ada"],
    ["8 days ago", 8, ""],
    ["while the clock was a year ahead", -365, ""],
  ])("typed %s is restored as %j", (_, days, shown) => {
    keepDraft({ firstName: { typed: "Ada", over: "" } }, { at: Date.now() - days * 24 * 60 * 60 * 1000 });
    const kept = draft() ?? "";
    localStorage.setItem("draft_AAAA-CCCC", kept);
    visit(<Form />);
    expect(screen.getByLabelText("Full name")).toHaveValue(shown);
    expect(localStorage.getItem("draft_AAAA-CCCC")).toBe(shown === "" ? null : kept);
  });

  test("comes with a note of how long this device keeps it", () => {
    visit(<Form />);
    expect(
      screen.getByText(
        "We only receive this when you press Next. Until then, it stays on this device for up to 7 days.",
      ),
    ).toBeVisible();
  });

  test("is not kept once the token has been removed from the device", async () => {
    const { user } = visit(<Form />);
    localStorage.removeItem("auth_token");
    await user.type(screen.getByLabelText("Full name"), "Ada");
    await user.tab();
    expect(draft()).toBeNull();
  });

  test("does not change the number of the invitation", () => {
    keepDraft({ mobile: { typed: "61400000000", over: "61412345678" } }, { countries: { mobile: "XX" } });
    const invited = { mobile: "61412345678" };
    visit(<Form />, { application: newApplication(invited, invited) });
    expect(screen.getByLabelText("Mobile")).toHaveValue("412 345 678");
  });

  test.each([
    ["not valid JSON", "{half"],
    ["of another shape", JSON.stringify({ answers: null, countries: null, at: Date.now() })],
  ])("is ignored if the draft is %s", (_, text) => {
    localStorage.setItem(draftKey, text);
    visit(<Form />);
    expect(screen.getByLabelText("Full name")).toHaveValue("");
  });
});

describe("a correction made while a save is unanswered is restored after a reload:", () => {
  interface Correction {
    step: AnswerStep;
    label: string;
    sent: string;
    corrected: string;
    /** The application as the server has saved it. */
    saved: Partial<typeof savedAnswers>;
  }

  async function expectRestored({ step, label, sent, corrected, saved }: Correction, until: () => void) {
    const visitStep = (changes: Partial<typeof savedAnswers>) =>
      visit(<Form />, { application: newApplication({ ...savedAnswers, ...changes }), search: `?step=${step}` });
    const { user, unmount } = visitStep({});
    const replace = async (text: string) => {
      await user.clear(screen.getByLabelText(label));
      await user.type(screen.getByLabelText(label), text);
    };
    await replace(sent);
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(until);
    await replace(corrected);
    unmount();
    visitStep(saved);
    expect(screen.getByLabelText(label)).toHaveValue(corrected);
    expect(screen.getByText("We kept what you typed on this device.")).toBeVisible();
  }

  const isSent = () => expect(api.calls).toHaveLength(1);
  const agency = { step: 2, label: "Agency name", sent: "Quay", saved: { agencyName: "Quay" } } as const;

  test.each<[string, Correction]>([
    ["a new text", { ...agency, corrected: "Quay Lettings" }],
    ["the text that was saved before", { ...agency, corrected: savedAnswers.agencyName }],
    [
      "an amount that the server writes in another way",
      { step: 3, label: "Current weekly rent", sent: "310.00", corrected: "320", saved: { currentRent: "310" } },
    ],
  ])("%s", async (_, correction) => {
    api.answers(`submit-step-${correction.step}`, new Promise(() => {}));
    await expectRestored(correction, isSent);
  });

  test("a text, once the form has said that the device keeps it", async () => {
    api.answers("submit-step-2", { status: 504, body: "<h1>Gateway timeout</h1>" });
    const isKept = () => expect(screen.getByText(/We've kept what you typed on this device/)).toBeVisible();
    await expectRestored({ ...agency, corrected: "Quay Lettings" }, isKept);
  });
});

test("a draft answer that only another source asks for does not block the step", async () => {
  keepDraft({ approval: { typed: "ab", over: "" } });
  const application = newApplication({ ...savedAnswers, approval: "" });
  api.answers("submit-step-3", { body: { success: true, data: application as never } });
  const { user } = visit(<Form />, { application, source: "ba", search: "?step=3" });
  await turnTo(user, "Next", "Review your application");
  expect(api.calls[0]?.body.data.approval).toBe("");
  expect(screen.queryByText(/but haven't saved them/)).toBeNull();
});

const fillStorage = () =>
  jest.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded", "QuotaExceededError");
  });

test("with full storage, the form never says that the device keeps what was typed", async () => {
  api.answers("submit-step-2", { status: 504, body: "<h1>Gateway timeout</h1>" });
  const online = jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { user } = visit(<Form />, { application: newApplication({ ...savedAnswers, savedSteps: [1] }) });
  fillStorage();
  await user.type(screen.getByLabelText("Agency name"), " Pty");
  expect(screen.queryByText(/keep(ing)? what you type on this device/)).toBeNull();
  expect(screen.getByText(/^Keep this page open and keep going/)).toBeVisible();
  online.mockRestore();
  await user.click(screen.getByRole("button", { name: "Next" }));
  expect(await screen.findByText(/Keep this page open, or you'll lose what you typed/)).toBeVisible();
});

test("with full storage, unsaved text survives a change of step", async () => {
  fillStorage();
  const { user } = visit(<Form />, { application: newApplication({ ...savedAnswers, savedSteps: [1] }) });
  await user.type(screen.getByLabelText("Agency name"), " Pty");
  await turnTo(user, "Back", "Landlord & property details");
  goToStep(2);
  expect(await screen.findByLabelText("Agency name")).toHaveValue("Harbour Homes Pty");
});
