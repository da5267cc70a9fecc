import { submitStep, verifyToken } from "@/lib/client/api";
import { verifyTokenScript } from "@/lib/client/opening-script";

/** Never answers. When it is aborted, it rejects as WebKit does: with AbortError, whatever the reason. */
function silentServer(_url: unknown, { signal }: RequestInit = {}): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("Fetch is aborted", "AbortError")));
  });
}

beforeEach(() => {
  localStorage.setItem("auth_token", "T");
  jest.useFakeTimers();
  Object.assign(window, { fetch: silentServer });
});

afterEach(() => jest.useRealTimers());

const early = () => {
  new Function(verifyTokenScript(null))();
  expect(window.earlyVerification).toBeDefined();
  return verifyToken();
};

test.each([
  ["a save", () => submitStep(1, {} as never)],
  ["a verification", verifyToken],
  ["a verification that the inline script began", early],
])("%s without a response times out after 100 s and is not reported as a lost network", async (_, call) => {
  const answer = call();
  const onAnswer = jest.fn();
  void answer.then(onAnswer);
  await jest.advanceTimersByTimeAsync(99_999);
  expect(onAnswer).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(await answer).toMatchObject({ success: false, status: null, noResponse: "timeout" });
});

test("a call that cannot reach the server is not a timeout", async () => {
  Object.assign(window, { fetch: () => Promise.reject(new TypeError("Load failed")) });
  expect(await verifyToken()).toMatchObject({ noResponse: "no-network" });
});
