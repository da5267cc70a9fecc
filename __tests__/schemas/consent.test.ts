import { consent } from "@/__tests__/support/answers";
import { messages } from "@/__tests__/support/messages";
import { consentSchema } from "@/lib/schemas/consent";

const saysOf = (changes: Record<string, unknown>) => messages(consentSchema, { ...consent, ...changes });

test.each([{}, { authoriseAgent: false, provideSelf: true }])(
  "consent with the agent or the applicant is complete: %j",
  (changes) => {
    expect(saysOf(changes)).toEqual({});
  },
);

test("consent needs the confirmation", () => {
  expect(Object.keys(saysOf({ confirmLoan: false }))).toEqual(["confirmLoan"]);
});

test("someone must provide the information", () => {
  expect(Object.keys(saysOf({ authoriseAgent: false }))).toEqual(["authoriseAgent"]);
});

test("the agent and the applicant exclude each other", () => {
  expect(Object.keys(saysOf({ provideSelf: true }))).toEqual(["provideSelf"]);
});

test("a missing box counts as unticked", () => {
  expect(Object.keys(messages(consentSchema, {}))).toEqual(expect.arrayContaining(["confirmLoan", "authoriseAgent"]));
});

test.each(["true", 1, "on", {}, []])("%j is not true or false", (tick) => {
  expect(Object.keys(saysOf({ confirmLoan: tick }))).toEqual(["confirmLoan"]);
});
