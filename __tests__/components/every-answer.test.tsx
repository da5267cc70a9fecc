import { cleanup, screen, within } from "@testing-library/react";
import {
  asSubmitted,
  savedAnswers as complete,
  Form,
  newApplication,
  ReviewPage,
  rowOf,
  visit,
} from "@/__tests__/support/applicant";
import { ReceiptScreen } from "@/components/application/review/receipt-screen";
import { defaultBrand } from "@/lib/brand";
import { type ApplicationView, isAskedFor, labelOf, namesOf } from "@/lib/domain/application";
import { answerSteps, reviewStep } from "@/lib/domain/journey";
import { answerSchema, mayBeEmpty } from "@/lib/schemas/steps";

/** The compiler cannot check that a declared answer (lib/domain/application.ts) has its field, its schema and its rows. */
const source = "ia";
const askedAnswers = answerSteps.flatMap((step) =>
  namesOf(step)
    .filter((name) => isAskedFor(name, source))
    .map((name) => ({ step, name, label: labelOf(name, source) })),
);
const application = newApplication({ ...complete, source });

test.each(askedAnswers)("$name has its field on step $step", ({ step, name, label }) => {
  visit(<Form />, { application, source, search: `?step=${step}` });
  const field = screen.getByLabelText(label, { exact: true });
  expect(field).toHaveAttribute("id", name);
  // The last field of a step says that the key sends it.
  expect(["next", "go"]).toContain(field.getAttribute("enterkeyhint"));
  // The specification marks the mobile as required, although its value comes from the invitation.
  const isRequired = name === "mobile" || !mayBeEmpty(name, defaultBrand);
  expect(field.getAttribute("aria-required")).toBe(isRequired ? "true" : null);
});

test.each(askedAnswers)("$name has a schema that accepts text only", ({ name }) => {
  expect(answerSchema(name, defaultBrand).safeParse({ increment: 5 }).success).toBe(false);
});

const lists: [string, (application: ApplicationView, source: string) => unknown][] = [
  ["review", (application, source) => visit(<Form />, { application, source, search: `?step=${reviewStep}` })],
  ["standalone review", (application, source) => visit(<ReviewPage />, { application, source })],
  [
    "receipt",
    async (application, source) => {
      visit(<ReceiptScreen />, { application: asSubmitted(application), source });
      await screen.findByText(/preparing the proof/);
    },
  ],
];
/** The Calculation Summary shows the loan amount as the rental advance. */
const labelInLists = (name: string, label: string) => (name === "loanAmount" ? "Rental Advance" : label);
const rowLabels = () => screen.getAllByRole("term").map(({ textContent }) => textContent);

test.each(lists)("the %s has a row for each answer", async (_, show) => {
  await show(application, source);
  for (const { name, label } of askedAnswers) expect(rowLabels()).toContain(labelInLists(name, label));
});

test.each(lists)(
  "the %s has a row for an answer that only another source asks for, if it was given",
  async (_, show) => {
    const unasked = newApplication({ ...complete, source: "ba" });
    await show({ ...unasked, approval: "AP-4711" }, "ba");
    expect(rowOf(labelOf("approval", source))).toBe("AP-4711");
    cleanup();
    await show(unasked, "ba");
    expect(rowLabels()).not.toContain(labelOf("approval", source));
  },
);

test.each(answerSteps)("the error summary of step %d lists each error and links to its field", async (step) => {
  const names = namesOf(step);
  const empty = Object.fromEntries(names.filter((name) => name !== "source").map((name) => [name, ""]));
  const { user } = visit(<Form />, {
    application: newApplication({ ...complete, ...empty }),
    source,
    search: `?step=${step}`,
  });
  await user.click(screen.getByRole("button", { name: "Next" }));
  const summary = within(await screen.findByRole("alert"));
  const required = names.filter((name) => !mayBeEmpty(name, defaultBrand));
  expect(required).not.toEqual([]);
  const targets = summary.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(targets).toEqual(expect.arrayContaining(required.map((name) => `#${name}`)));
});
