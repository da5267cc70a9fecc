import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { fakeApi } from "@/__tests__/support/api";
import { Form, inSession, newApplication, savedAnswers } from "@/__tests__/support/applicant";
import { mockPage, mockRouter } from "@/__tests__/support/component-tests";
import { Gate } from "@/components/session/gate";

const api = fakeApi();
type Reply = Parameters<ReturnType<typeof api.holds>>[0];
const refused = { status: 401, body: { success: false, message: "Token verification failed" } };
const opens = (reference: string) => ({
  body: { success: true, data: newApplication({ ...savedAnswers, reference }) as never },
});

const page = () => inSession({ state: "loading" }, <Gate>{mockPage.path === "/home" && <Form />}</Gate>);

/** Presses a button of the first application, and opens another one in the page before the call is answered. */
async function openAnotherDuring(path: string, step: number, button: string) {
  const answer = api.holds(path);
  api.answers("verify-token", opens("AAAA-CCCC"), refused, opens("BBBB-DDDD"));
  mockPage.path = "/home";
  window.history.replaceState(null, "", `/home?step=${step}`);
  window.scrollTo = () => undefined;
  window.opened = undefined;
  const { rerender } = render(page());
  await userEvent.setup().click(await screen.findByRole("button", { name: button }));
  await waitFor(() => expect(api.calls.at(-1)?.path).toBe(path));

  // The page returns from the back-forward cache, and its link has been revoked meanwhile.
  const restored = Object.assign(new Event("pageshow"), { persisted: true });
  act(() => void window.dispatchEvent(restored));
  await waitFor(() => expect(mockRouter.replace).toHaveBeenCalledWith("/un-authorized"));
  const go = (path: string) => {
    mockPage.path = path;
    rerender(page());
  };
  go("/un-authorized");
  // Another tab has opened another application, and /un-authorized links to it.
  localStorage.setItem("auth_token", "token of another application");
  mockRouter.replace.mockClear();
  go("/home");
  await screen.findByRole("button", { name: button });
  expect(api.calls.at(-1)?.body.token).toBe("token of another application");
  return async (reply: Reply) => {
    answer(reply);
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  };
}

test("a save that is refused late does not affect the application that the page has opened since", async () => {
  const answer = await openAnotherDuring("submit-step-1", 1, "Next");
  await answer(refused);
  expect(mockRouter.replace).not.toHaveBeenCalled();
  expect(localStorage.getItem("auth_token")).toBe("token of another application");
  expect(screen.getByRole("button", { name: "Next" })).toBeVisible();
});

test("a submission that succeeds late does not affect the application that the page has opened since", async () => {
  const answer = await openAnotherDuring("submit-final", 4, "Submit Application");
  await answer({ body: { success: true, data: { status: "received" } as never } });
  expect(mockRouter.replace).not.toHaveBeenCalled();
  expect(screen.getByRole("button", { name: "Submit Application" })).toBeVisible();
});
