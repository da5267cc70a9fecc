import { landlord } from "@/__tests__/support/answers";
import { saveStep } from "@/components/form/next";

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

beforeEach(() => {
  localStorage.setItem("auth_token", "token-of-a-test");
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test("a save without an answer after ten seconds is reported as slow once and continues", async () => {
  const answer = slowServer();
  const send = jest.fn();
  const saving = saveStep(1, landlord, { send, isMounted: () => true });
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
  const saving = saveStep(1, landlord, { send, isMounted: () => true });
  jest.advanceTimersByTime(5_000);
  answer();
  await saving;
  jest.advanceTimersByTime(60_000);
  expect(send).not.toHaveBeenCalled();
});
