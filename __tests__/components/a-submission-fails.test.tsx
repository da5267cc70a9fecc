import { act, screen } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import {
  Form,
  keepDraft,
  newApplication,
  ReviewPage,
  savedAnswers,
  submitted,
  visit,
} from "@/__tests__/support/applicant";
import { mockRouter } from "@/__tests__/support/component-tests";

const api = fakeApi();
type Answer = Parameters<typeof api.answers>[1];

const offline = () => jest.spyOn(navigator, "onLine", "get").mockReturnValue(false);

describe.each([
  ["the form's review", () => <Form />],
  ["the standalone review", () => <ReviewPage />],
])("submitting on %s", (_, review) => {
  const visitReview = (changes: Partial<typeof savedAnswers> = {}) =>
    visit(review(), { application: newApplication({ ...savedAnswers, ...changes }) });

  async function submit(...answers: Answer[]) {
    api.answers("submit-final", ...(answers as [Answer]));
    const { user } = visitReview();
    await user.click(screen.getByRole("button", { name: "Submit Application" }));
    return user;
  }

  async function retry() {
    await screen.findByText(/still trying/);
    act(() => void window.dispatchEvent(new Event("online")));
  }

  const failureText = async () => [...((await screen.findByRole("alert")).querySelectorAll("p") ?? [])].map(textOf);
  const textOf = ({ textContent }: Element) => textContent;

  test("says without a network that the answers are saved and that submitting again is safe", async () => {
    await submit("no network");
    expect(await screen.findByText(/still trying/)).toHaveTextContent(/If it doesn't work, we'll tell you here\.$/);
    await retry();
    await retry();
    expect(await failureText()).toEqual([
      "Submission failed: no connection",
      `Your answers are saved. ${mayHaveArrived} Check your connection and try again.`,
    ]);
  });

  const mayHaveArrived = "It's safe to submit again: we'll only record it once.";
  const soon = "Try again in a moment.";
  const tooMany = { status: 429, body: { success: false, message: "Too many." }, headers: { "retry-after": "300" } };

  test.each<[string, Answer, message?: string, advice?: string]>([
    ["a server error", { status: 500, body: { success: false, message: "Final submission failed" } }],
    ["a proxy's error", { status: 502, body: "<h1>Bad gateway</h1>" }, undefined, `${mayHaveArrived} ${soon}`],
    ["a maintenance page", { status: 200, body: "<h1>Back soon</h1>" }, undefined, `${mayHaveArrived} ${soon}`],
    ["a firewall's refusal", { status: 429, body: "<h1>Slow</h1>" }, undefined, `${mayHaveArrived} ${soon}`],
    ["too many requests", tooMany, "Too many.", "Try again in 5 minutes."],
  ])("shows one message after %s that can be dismissed, and says when to try again", async (...row) => {
    const [, answer, message = "Final submission failed", advice = soon] = row;
    const user = await submit(answer);
    expect(await failureText()).toEqual([`Submission failed: ${message}`, `Your answers are saved. ${advice}`]);
    await user.click(screen.getByRole("button", { name: `Dismiss: Submission failed: ${message}` }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(mockRouter.replace).not.toHaveBeenCalled();
  });

  test("says offline that the answers are saved and can be submitted later", () => {
    offline();
    visitReview();
    const notice = screen.getByText("You're offline.").parentElement;
    expect(notice).toHaveTextContent(
      /offline\. ?Your answers are saved\. You can submit them when you're back online\.$/,
    );
  });

  test("offline sends nothing, says only that it will try again, and submits once online", async () => {
    const online = offline();
    api.answers("submit-final", submitted);
    const { user } = visitReview();
    await user.click(screen.getByRole("button", { name: "Submit Application" }));
    const retry = "Keep this page open, and we'll try again when you're back online.";
    expect(await screen.findByText(`Your answers are saved. ${retry}`)).toBeVisible();
    expect(screen.getByText("You're offline.").closest("[role=status]")).toHaveFocus();
    expect(screen.queryByText(/Submission failed/)).toBeNull();
    expect(api.calls).toEqual([]);
    online.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event("online")));
    expect(await screen.findByRole("heading", { name: "Application Submitted Successfully!" })).toBeVisible();
    expect(api.calls).toHaveLength(1);
  });

  test("offline is not repeated once the consent has changed", async () => {
    const online = offline();
    const { user } = visitReview();
    await user.click(screen.getByRole("button", { name: "Submit Application" }));
    await screen.findByText(/we'll try again/);
    await user.click(screen.getByRole("checkbox", { name: /provide/ }));
    expect(screen.getByText("Your answers are saved. You can submit them when you're back online.")).toBeVisible();
    online.mockReturnValue(true);
    await act(async () => void window.dispatchEvent(new Event("online")));
    expect(api.calls).toEqual([]);
  });

  test("reports a page without the field that the server asks for, and says to reload it", async () => {
    const errors = { abn: "ABN is required" };
    await submit({
      status: 422,
      body: { success: false, message: "Please check the marked answers", errors, data: { step: 2 } },
    });
    expect(await failureText()).toEqual(["This page is out of date. Reload it.", "What you typed is kept."]);
    expect(screen.getByRole("button", { name: "Reload" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Go to Agent details" })).toBeNull();
  });

  test("does not promise this offline while changes are unsaved", () => {
    offline();
    keepDraft({ firstName: { typed: "Eve", over: savedAnswers.firstName } });
    visitReview();
    expect(screen.queryByText(/Your answers are saved/)).toBeNull();
    expect(screen.getByText("You can carry on when you're back online.")).toBeVisible();
  });
});

test("an incomplete application is not said to be ready for submission while offline", () => {
  offline();
  visit(<ReviewPage />, { application: newApplication({ ...savedAnswers, savedSteps: [1] }) });
  expect(screen.queryByText(/You can submit them/)).toBeNull();
});
