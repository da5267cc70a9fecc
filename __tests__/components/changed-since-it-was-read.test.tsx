import { screen, waitFor } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import {
  Form,
  keepDraft,
  newApplication,
  ReviewPage,
  renderedConsent,
  rowOf as row,
  savedAnswers,
  submitted,
  turnTo,
  visit,
} from "@/__tests__/support/applicant";
import { defaultBrand } from "@/lib/brand";
import type { ApplicationView } from "@/lib/domain/application";
import { consentText } from "@/lib/domain/consent";
import type { Outdated } from "@/lib/domain/reviewed";

const api = fakeApi();
const message = "Your application has changed since you read it";

function refused(data: Outdated) {
  return { status: 409, body: { success: false, message, data: data as never } };
}

/** The application after a change in another tab. */
const changedTo = (changes: Partial<ApplicationView>) =>
  newApplication({ ...savedAnswers, version: "as changed", ...changes });

const submit = () => screen.getByRole("button", { name: "Submit Application" });
const marks = () => screen.queryAllByText(/^Changed since you read it/).map(({ textContent }) => textContent);
const reviewedBy = (n: number) => api.calls[n]?.body.data.reviewed;

describe.each([
  ["the form's review", () => <Form />],
  ["the standalone review", () => <ReviewPage />],
])("on %s, an application that another tab has changed", (_, page) => {
  test("is submitted only after it was shown again with the changes marked", async () => {
    api.answers(
      "submit-final",
      refused({ changed: ["answers"], application: changedTo({ loanAmount: "2450", leaseEndDate: "2027-03-31" }) }),
      submitted,
    );
    const { user } = visit(page(), { application: newApplication(savedAnswers) });
    expect(marks()).toEqual([]);
    await user.click(submit());
    const banner = (await screen.findByText(message)).closest("[role]");
    expect(banner).toHaveAttribute("role", "status");
    expect(banner).toHaveTextContent(/We haven't submitted anything\. Check the changes marked in the review/);
    expect(screen.getByRole("group", { name: message })).toHaveFocus();
    expect(screen.queryByText(/Submission failed|quote/)).toBeNull();
    expect(screen.queryByText("See your application's status")).toBeNull();
    expect(row("Rental Advance")).toBe("$2,450paid to Harbour HomesChanged since you read it, from $33,650");
    expect(row("Lease end date")).toBe("March 31, 2027Changed since you read it, from February 28, 2027");
    expect(row("Full name")).toBe("Ada");
    expect(row("Extra funds")).toBeUndefined();
    expect(marks()).toHaveLength(2);
    expect(screen.queryByText(/but haven't saved them/)).toBeNull();

    await user.click(submit());
    expect(await screen.findByRole("heading", { name: "Application Submitted Successfully!" })).toBeVisible();
    const consent = renderedConsent.hash;
    expect([reviewedBy(0), reviewedBy(1)]).toEqual([
      { answers: "as first read", consent },
      { answers: "as changed", consent },
    ]);
  });

  test.each(["at once", "after a tick"])("is not submitted %s while that tab has unsaved changes", async (when) => {
    const application = changedTo({ loanAmount: "20000" });
    api.answers("submit-final", refused({ changed: ["answers"], application }), submitted);
    const { user } = visit(page(), { application: newApplication({ ...savedAnswers, loanAmount: "10000" }) });
    keepDraft({ loanAmount: { typed: "30000", over: "20000" } });
    if (when === "after a tick") await user.click(screen.getByRole("checkbox", { name: /provide/ }));
    await user.click(submit());
    await screen.findByText(message);
    expect(row("Rental Advance")).toBe("$20,000paid to Harbour HomesChanged since you read it, from $10,000");
    expect(submit()).toHaveAccessibleDescription(/^To submit, save or undo your changes in Lease & funds/);
    await user.click(submit());
    expect(api.calls).toHaveLength(1);
  });

  test("is submitted with the consent text of another server, once that was shown with its changes marked", async () => {
    const text = consentText({ ...defaultBrand, product: "RentSooner" });
    const consent = { ...text, hash: "hash of the other text" };
    api.answers("submit-final", refused({ changed: ["consent"], application: changedTo({}), consent }), submitted);
    const { user } = visit(page(), { application: newApplication(savedAnswers) });
    await user.click(screen.getByRole("checkbox", { name: /provide/ }));
    await user.click(submit());
    expect(await screen.findByText(text.paragraphs[0] ?? "")).toBeVisible();
    expect(screen.queryByText(/RentAhead/)).toBeNull();
    const named = [...text.paragraphs, ...Object.values(text.boxes)].filter((part) => part.includes("RentSooner"));
    expect(marks()).toHaveLength(named.length);
    expect(screen.getByRole("checkbox", { name: /provide/ })).toBeChecked();
    await user.click(submit());
    await screen.findByRole("heading", { name: "Application Submitted Successfully!" });
    expect(reviewedBy(1)).toEqual({ answers: "as changed", consent: consent.hash });
  });
});

test("the review marks what another device saved while this one saved a step", async () => {
  const application = changedTo({ agencyName: "Harbour & Hill", firstName: "Augusta" });
  api.answers("submit-step-1", { body: { success: true, data: application as never } });
  api.answers("submit-final", submitted);
  const { user } = visit(<Form />, { application: newApplication(savedAnswers) });
  await user.click(screen.getByRole("link", { name: "Change Landlord & property" }));
  await user.clear(screen.getByLabelText("Full name"));
  await user.type(screen.getByLabelText("Full name"), "Augusta");
  await turnTo(user, "Next", "Review your application");
  expect(row("Full name")).toBe("Augusta");
  expect(row("Agency name")).toBe("Harbour & HillChanged since you read it, from Harbour Homes");
  expect(marks()).toHaveLength(1);
  expect(screen.queryByText(/but haven't saved them/)).toBeNull();
  await user.click(submit());
  await waitFor(() => expect(reviewedBy(1)).toMatchObject({ answers: "as changed" }));
});

test("a change from another device stays marked after this one has saved another step", async () => {
  const elsewhere = { agencyName: "Harbour & Hill" };
  api.answers("submit-step-1", { body: { success: true, data: changedTo(elsewhere) as never } });
  api.answers("submit-step-3", { body: { success: true, data: changedTo(elsewhere) as never } });
  const { user } = visit(<Form />, { application: newApplication(savedAnswers) });
  for (const section of ["Landlord & property", "Lease & funds"]) {
    await user.click(screen.getByRole("link", { name: `Change ${section}` }));
    await user.click(await screen.findByRole("button", { name: "Next" }));
    await screen.findByRole("heading", { name: "Review your application" });
  }
  expect(row("Agency name")).toBe("Harbour & HillChanged since you read it, from Harbour Homes");
});

test("an answer that only another source asks for is marked when another tab has removed it", async () => {
  api.answers("submit-final", refused({ changed: ["answers"], application: changedTo({ approval: "" }) }));
  const { user } = visit(<Form />, { application: newApplication({ ...savedAnswers, approval: "AP-4711" }) });
  await user.click(submit());
  await screen.findByText(message);
  expect(row("Pre-approval number")).toBe("Not providedChanged since you read it, from AP-4711");
});

test("a change of dollars shows the earlier amount in whole dollars", async () => {
  const read = { ...savedAnswers, loanAmount: "33650.60", currentRent: "300.70" };
  const changed = refused({ changed: ["answers"], application: changedTo({ loanAmount: "2450", currentRent: "310" }) });
  api.answers("submit-final", changed);
  const { user } = visit(<Form />, { application: newApplication(read, { invoiceAmount: "2000.50" }) });
  expect(row("Repair costs")).toBe("$2,450Changed from $2,001");
  await user.click(submit());
  await screen.findByText(message);
  expect(row("Current weekly rent")).toBe("$310Changed since you read it, from $301");
  expect(row("Rental Advance")).toBe("$2,450paid to Harbour HomesChanged since you read it, from $33,651");
});

test.each([
  ["2450.40", "2450"],
  ["2450.00", "2450.45"],
])("an amount of %s that looks like the new one, %s, shows its cents", (invited, invoiceAmount) => {
  const application = newApplication({ ...savedAnswers, invoiceAmount }, { invoiceAmount: invited });
  visit(<Form />, { application });
  expect(row("Repair costs")).toBe(`$2,450Changed from $${invited.replace("2", "2,")}`);
});

test("an amount is shown as the server stores it, and saved once", async () => {
  const application = changedTo({ currentRent: "310", loanAmount: "34690" });
  api.answers("submit-step-3", { body: { success: true, data: application as never } });
  const { user } = visit(<Form />, { application: newApplication(savedAnswers), search: "?step=3" });
  await user.clear(screen.getByLabelText("Current weekly rent"));
  await user.type(screen.getByLabelText("Current weekly rent"), "310.00");
  await turnTo(user, "Next", "Review your application");
  expect([row("Current weekly rent"), marks(), api.calls.length]).toEqual(["$310", [], 1]);
  expect(screen.queryByText(/but haven't saved them/)).toBeNull();
});

test("a changed section opens with the stored answers, not with this tab's copy", async () => {
  api.answers("submit-final", refused({ changed: ["answers"], application: changedTo({ firstName: "Eve" }) }));
  const { user } = visit(<Form />, { application: newApplication(savedAnswers) });
  await user.click(submit());
  await screen.findByText(message);
  await user.click(screen.getByRole("link", { name: "Change Landlord & property" }));
  expect(await screen.findByLabelText("Full name")).toHaveValue("Eve");
});
