import { landlord } from "@/__tests__/support/answers";
import { withRetries } from "@/components/form/save-step";
import { submitStep } from "@/lib/client/api";

/** Makes fetch wait. The returned function lets it answer. */
function slowServer() {
  let answer = () => {};
  jest.spyOn(globalThis, "fetch").mockReturnValue(
    new Promise((resolve) => {
      answer = () => resolve(Response.json({ success: true }));
    }),
  );
  return () => answer();
}

const save = (send: () => void) =>
  withRetries((token) => submitStep(1, landlord, token), { send, isMounted: () => true });

beforeEach(() => {
  localStorage.setItem("auth_token", "token-of-a-test");
  jest.useFakeTimers();
});

afterEach(() => jest.useRealTimers());

test("a save without a response after ten seconds is reported as slow once and continues", async () => {
  const answer = slowServer();
  const send = jest.fn();
  const saving = save(send);
  jest.advanceTimersByTime(9_999);
  expect(send).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(send).toHaveBeenCalledTimes(1);
  answer();
  expect(await saving).toEqual({ success: true });
});

test("a save answered within ten seconds is not reported as slow", async () => {
  const answer = slowServer();
  const send = jest.fn();
  const saving = save(send);
  jest.advanceTimersByTime(5_000);
  answer();
  await saving;
  jest.advanceTimersByTime(60_000);
  expect(send).not.toHaveBeenCalled();
});
