import { landlord } from "@/__tests__/support/answers";
import type { StepValues } from "@/components/application/saving/form-state";
import { saveStep, withRetries } from "@/components/application/saving/save-step";
import { defaultBrand } from "@/lib/brand";
import { submitStep } from "@/lib/client/api";
import { stepSchema } from "@/lib/schemas/steps";

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

/**
 * Presses Next on step 1. `typed` returns what its fields hold after each save. Returns whether the next screen can follow, which
 * functions of the form were called, and what the server got.
 */
async function pressNext(values: StepValues, responses: object[], typed: () => StepValues | undefined = () => values) {
  const called: string[] = [];
  const note = (name: string) => () => void called.push(name);
  const sent: unknown[] = [];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    sent.push(JSON.parse(String(init?.body)).data);
    return Response.json(responses.shift());
  });
  const form = { typed, show: note("show"), refuse: note("refuse"), accept: note("accept"), fail: note("fail") };
  const rest = { step: 1 as const, schema: stepSchema(1, defaultBrand), send: () => {}, isMounted: () => true };
  return { isSaved: await saveStep(values, { ...form, ...rest }), called, sent };
}

test("Next sends the trimmed answers, shows them and goes on once they are saved", async () => {
  const result = await pressNext({ ...landlord, firstName: ` ${landlord.firstName} ` }, [{ success: true }]);
  expect(result).toEqual({ isSaved: true, called: ["show", "accept"], sent: [landlord] });
});

test("Next refuses an invalid answer without a call", async () => {
  const result = await pressNext({ ...landlord, email: "ada@" }, []);
  expect(result).toEqual({ isSaved: false, called: ["refuse"], sent: [] });
});

test("Next saves once more what was typed during the save", async () => {
  const later = { ...landlord, firstName: "Grace" };
  const result = await pressNext(landlord, [{ success: true }, { success: true }], () => later);
  expect(result).toEqual({ isSaved: true, called: ["show", "accept", "show", "accept"], sent: [landlord, later] });
});

test("Next stays on the step if the server refuses the answers, and if the applicant has left it", async () => {
  const refused = await pressNext(landlord, [{ success: false, errors: { email: "Not this one" } }]);
  expect(refused).toEqual({ isSaved: false, called: ["show", "fail"], sent: [landlord] });
  const left = await pressNext(landlord, [{ success: true }], () => undefined);
  expect(left).toEqual({ isSaved: false, called: ["show", "accept"], sent: [landlord] });
});

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
