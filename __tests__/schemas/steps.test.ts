import { byStep, overCap, shownCap } from "@/__tests__/support/answers";
import { messages } from "@/__tests__/support/messages";
import { maximumAdvance } from "@/lib/domain/advance";
import { namesOf, type SavedAnswer } from "@/lib/domain/application";
import { answerSteps } from "@/lib/domain/journey";
import { formatCents } from "@/lib/domain/money";
import { answerSchema, mayBeEmpty, stepSchema } from "@/lib/schemas/steps";

const usDollars = { locale: "en-US", currency: "USD" };
const pounds = { locale: "en-GB", currency: "GBP" };

test.each(answerSteps)("step %d has a schema for the step, and one for each answer", (step) => {
  expect(stepSchema(step, usDollars).parse(byStep[step])).toEqual(byStep[step]);
  for (const name of namesOf(step)) {
    const answer = (byStep[step] as Record<SavedAnswer, string>)[name];
    expect(answerSchema(name, usDollars).parse(answer)).toBe(answer);
  }
});

test("messages name each lender's own currency, and schemas are cached", () => {
  const saysIn = (style: typeof usDollars) => messages(stepSchema(3, style), { ...byStep[3], loanAmount: overCap });
  expect(saysIn(usDollars)).toEqual({ loanAmount: `Loan amount must be ${shownCap} or less` });
  expect(saysIn(pounds)).toEqual({ loanAmount: `Loan amount must be ${formatCents(maximumAdvance, pounds)} or less` });
  expect(stepSchema(3, pounds)).toBe(stepSchema(3, { ...pounds }));
});

test("only an optional answer may be empty", () => {
  expect(mayBeEmpty("mobile", usDollars)).toBe(true);
  expect(mayBeEmpty("email", usDollars)).toBe(false);
});
