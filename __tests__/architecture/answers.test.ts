import { readFileSync } from "node:fs";
import { productFiles } from "@/__tests__/support/product-files";
import { type AnswerName, answerNames, namesOf, savedAnswers } from "@/lib/domain/application";
import { answerSteps, stepNumbers } from "@/lib/domain/journey";

/**
 * An answer is named in its declaration, its schema and its step. Another file that names it probably holds a list that
 * should be derived, because a new answer would be missing from it. `ownRules` lists the exceptions: files with a rule of
 * their own for an answer.
 */
const declaration = "lib/domain/application.ts";
const home = /^(lib\/schemas|components\/application\/steps)\//;

/** What the desk shows first: whose application it is, and who is paid. */
const shownFirst = "lib/server/desk/application-view.ts";
const list = ["lib/server/applications/search.ts"];
const names = [...list, shownFirst, "lib/server/studio/studio-page.ts", "lib/server/applications/list-page.ts"];
const ownRules: Partial<Record<AnswerName, readonly string[]>> = {
  firstName: [
    ...names,
    ...["components/landing/with-session.tsx", "components/session/applicant-bar.tsx"],
    ...["lib/server/desk/decision-preview.ts", "lib/server/outbox/message-context.ts"],
  ],
  lastName: names,
  propertyAddress: [...list, "components/application/review/standalone-review.tsx"],
  agencyName: [
    ...list,
    shownFirst,
    "components/application/review/calculation-summary.tsx",
    "lib/domain/receipt-text.ts",
  ],
  managerFirstName: [...list, shownFirst],
  managerLastName: [...list, shownFirst],
  managerEmail: ["lib/server/outbox/enqueue.ts", shownFirst],
  contactNumber: [shownFirst],
  currentRent: [
    ...["lib/domain/advance.ts", "components/application/review/calculation-summary.tsx", "lib/domain/receipt-text.ts"],
    "components/landing/rent-estimate.tsx",
  ],
  invoiceAmount: ["lib/domain/advance.ts", "components/landing/with-session.tsx"],
  loanAmount: [
    ...["lib/domain/advance.ts", "lib/domain/answer-text.ts", "components/application/review/calculation-summary.tsx"],
    ...["components/outcome/status-screens.tsx", "components/landing/rent-estimate.tsx"],
    ...[
      "components/application/fields/answer-field.tsx",
      "lib/client/draft-storage.ts",
      "lib/server/outbox/message-context.ts",
    ],
    ...[...list, shownFirst, "lib/server/applications/list-page.ts", "lib/server/figures/figures.ts"],
  ],
};

/** Common words, which occur elsewhere with other meanings. */
const everydayWords: AnswerName[] = ["email", "mobile", "source", "approval"];

/** The samples of the demo may name every answer. */
const files = productFiles("app", "components", "lib")
  .filter((path) => !path.startsWith("lib/development/demo-"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

test.each(savedAnswers.filter((name) => !everydayWords.includes(name)))(
  "%s is named only in its declaration, its schema and its step",
  (name) => {
    const named = files.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text)).map(({ path }) => path);
    const elsewhere = named.filter((path) => path !== declaration && !home.test(path));
    expect(elsewhere.sort()).toEqual([...(ownRules[name] ?? [])].sort());
  },
);

test("the steps together declare every answer once", () => {
  const declared = stepNumbers.flatMap((step) => namesOf(step));
  expect(declared).toEqual(answerNames);
  expect(new Set(declared).size).toBe(declared.length);
  expect(answerSteps.flatMap((step) => namesOf(step))).toEqual(savedAnswers);
});
