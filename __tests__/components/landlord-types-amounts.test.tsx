import { act, fireEvent, screen } from "@testing-library/react";
import { belowCap, cap, overCap, rentOverCap, shownCap } from "@/__tests__/support/answers";
import { fakeApi } from "@/__tests__/support/api";
import { draftKey } from "@/__tests__/support/applicant";
import { amountButton, field, fill, visitStepThree } from "@/__tests__/support/step-three";
import { defaultBrand } from "@/lib/brand";
import { centsOf, formatCents } from "@/lib/domain/money";

const api = fakeApi();

const unreadable = (name: string) => `${name} must be an amount in dollars, such as 450 or 450.50`;
/** The most extra funds beside a repair of $2,450. */
const mostExtra = belowCap(2450_00);
const shownMostExtra = formatCents(centsOf(mostExtra), defaultBrand);
const amountFields = ["Current weekly rent", "Loan amount", "Extra funds"];

describe("an amount field on step 3", () => {
  test.each([
    ["Loan amount", "2450", mostExtra, `We've reduced this to ${shownCap}, the most we can advance.`],
    [
      "Extra funds",
      "2450",
      mostExtra,
      `We've reduced this to ${shownMostExtra}, because the repair and the extra funds together can't exceed ${shownCap}.`,
    ],
    ["Extra funds", "", cap, `We've reduced this to ${shownCap}, the most we can advance.`],
  ])(
    "reduces %s to the most with a quote of '%s', and says why until it is changed",
    async (name, quote, extra, reason) => {
      const { user } = visitStepThree({ quote });
      await fill(user, name, overCap);
      expect(field("Loan amount")).toHaveValue(cap);
      expect(field("Extra funds")).toHaveValue(extra);
      await user.tab();
      expect(screen.getByText(reason)).toBeVisible();
      await user.type(field(name), "{Backspace}");
      expect(screen.queryByText(reason)).toBeNull();
    },
  );

  test.each(["Loan amount", "Extra funds"])(
    "reduces more digits than any amount, pasted into %s, to the cap",
    async (name) => {
      const { user } = visitStepThree();
      await user.clear(field(name));
      await user.paste("$1,234,567,890,123");
      expect(field("Loan amount")).toHaveValue(cap);
      expect(field(name)).toBeValid();
      expect(screen.getByText(/^We've reduced this to/)).toBeVisible();
    },
  );

  test("is left alone while an input method composes it, and kept from the first character", () => {
    visitStepThree();
    const rent = field("Current weekly rent");
    fireEvent.compositionStart(rent);
    for (const value of ["6", "65", "65p"]) {
      fireEvent.input(rent, { target: { value }, isComposing: true });
      expect(rent).toHaveValue(value);
    }
    fireEvent.input(rent, { target: { value: "650 pw" }, isComposing: true });
    expect(rent).toHaveValue("650 pw");
    expect(localStorage.getItem(draftKey)).toContain('"currentRent":{"typed":"650"');
    fireEvent.compositionEnd(rent);
    expect(rent).toHaveValue("650");
  });

  // A press of a button ends the composition and takes the focus in one task.
  test.each(amountFields)("keeps what was composed in '%s' when the field is left at the same time", async (name) => {
    visitStepThree({ quote: "" });
    fireEvent.compositionStart(field(name));
    fireEvent.input(field(name), { target: { value: "700" }, isComposing: true });
    await act(async () => {
      fireEvent.compositionEnd(field(name));
      fireEvent.blur(field(name));
    });
    expect(field(name)).toHaveValue("700");
    expect(field(name)).toBeValid();
  });

  test.each(amountFields)(
    "keeps in '%s' only texts that it has shown, whatever undo and redo make of them",
    async (name) => {
      visitStepThree({ quote: "" });
      const enter = (value: string, inputType: string) =>
        fireEvent.input(field(name), { target: { value }, inputType });
      enter("1,250", "insertFromPaste");
      await act(async () => fireEvent.blur(field(name)));
      expect(field(name)).toHaveValue("1250");
      enter("12501,250", "historyUndo");
      expect(field(name)).toHaveValue("1250");
      enter("900", "insertFromPaste");
      enter("1250", "historyUndo");
      expect(field(name)).toHaveValue("1250");
    },
  );

  test("stops explaining a reduction once the amount has changed again", async () => {
    const { user } = visitStepThree();
    const reasons = () => screen.queryAllByText(/^We've reduced this/);
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", overCap);
    expect(reasons()).toHaveLength(1);
    await user.click(amountButton(/Only the repair/));
    expect(reasons()).toEqual([]);
    // The amount is as large as before, but this time it was not reduced.
    await fill(user, "Loan amount", cap);
    expect(reasons()).toEqual([]);
    await fill(user, "Extra funds", overCap);
    expect(reasons()).toHaveLength(1);
    await fill(user, "Repair costs", "3000");
    expect(field("Extra funds")).toHaveValue("31200");
    expect(reasons()).toEqual([]);
  });

  test("stops explaining reduced extra funds once the invoice has changed", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", rentOverCap);
    await fill(user, "Extra funds", overCap);
    await user.type(field("Repair costs"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue(cap);
    expect(screen.queryByText(/^We've reduced this/)).toBeNull();
  });

  test.each([
    ["letters", "4a5b0", "450"],
    ["Arabic digits and separators", "١٬٢٥٠٫٥٠", "1250.50"],
  ])("accepts %s", async (_, typed, held) => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.keyboard(typed);
    await user.tab();
    expect(field("Current weekly rent")).toHaveValue(held);
  });

  test.each(amountFields.flatMap((name) => ["2.450,00", "1.234", "1.2.3", "1,2345"].map((typed) => [typed, name])))(
    "keeps every digit of '%s' typed in '%s', and shows the error when the field is left",
    async (typed, name) => {
      const { user } = visitStepThree();
      await fill(user, name, typed);
      expect(field(name)).toHaveValue(typed);
      expect(field(name)).toBeValid();
      await user.tab();
      expect(field(name)).toHaveValue(typed);
      expect(await screen.findByText(unreadable(name))).toBeVisible();
    },
  );

  test.each(amountFields)("keeps the cents of '%s' while the dollars are replaced", async (name) => {
    const { user } = visitStepThree();
    await fill(user, name, "2450.50");
    await user.tab();
    const dollars = { initialSelectionStart: 4, initialSelectionEnd: 4 };
    await user.type(field(name), "{Backspace}{Backspace}{Backspace}{Backspace}", dollars);
    expect(field(name)).toHaveValue(".50");
    await user.keyboard("3100");
    expect(field(name)).toHaveValue("3100.50");
  });

  test.each(amountFields)("accepts cents alone in '%s'", async (name) => {
    const { user } = visitStepThree({ quote: "" });
    await user.clear(field(name));
    await user.type(field(name), ".75");
    expect(field(name)).toHaveValue(".75");
    await user.tab();
    expect(field(name)).toHaveValue("0.75");
  });

  test("limits cents alone to the extra funds that are left", async () => {
    const { user } = visitStepThree({ quote: belowCap(50) });
    await fill(user, "Extra funds", ".7");
    expect(field("Extra funds")).toHaveValue("0.50");
    expect(screen.getByText(/^We've reduced this/)).toBeVisible();
  });

  test.each(["Current weekly rent", "Repair costs", "Loan amount", "Extra funds"])(
    "shows an error at once for text pasted into '%s', until it is corrected",
    async (name) => {
      const { user } = visitStepThree();
      await user.clear(field(name));
      await user.paste("1e3");
      expect(field(name)).toHaveValue("1e3");
      expect(await screen.findByText(unreadable(name))).toBeVisible();
      expect(field(name)).toBeInvalid();
      await user.tab();
      expect(field(name)).toHaveValue("1e3");
      await user.click(field(name));
      await user.keyboard("{Backspace}{Backspace}");
      expect(field(name)).toHaveValue("1");
      expect(screen.queryByText(unreadable(name))).toBeNull();
    },
  );

  test("shows an error at once for a single pasted letter", async () => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.paste("x");
    expect(field("Current weekly rent")).toHaveValue("x");
    expect(await screen.findByText(unreadable("Current weekly rent"))).toBeVisible();
  });

  test("blocks Next while the extra funds are unreadable, until the repair alone is chosen", async () => {
    const { user } = visitStepThree({ leaseStartDate: "2026-03-01", leaseEndDate: "2027-02-28" });
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Extra funds"));
    await user.paste("as much as possible");
    expect(field("Extra funds")).toBeInvalid();
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(await screen.findByRole("link", { name: "Loan amount is required" })).toBeVisible();
    expect(api.calls).toEqual([]);
    await user.click(amountButton("Only the repair: $2,450"));
    expect(field("Loan amount")).toHaveValue("2450");
    expect(field("Extra funds")).toHaveValue("0");
    expect(field("Extra funds")).toBeValid();
    // The pasted text does not come back with an empty loan amount.
    await user.clear(field("Current weekly rent"));
    await user.clear(field("Repair costs"));
    expect(field("Extra funds")).toHaveValue("");
    expect(screen.queryByText(unreadable("Extra funds"))).toBeNull();
  });

  test("keeps the error, and the loan amount empty, until pasted extra funds are an amount", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Extra funds"));
    await user.paste("30,000 please");
    for (const rest of ["30,000 pleas", "30,000 plea", "30,000 ple", "30,000 pl", "30,000 p"]) {
      await user.keyboard("{Backspace}");
      expect(field("Extra funds")).toHaveValue(rest);
      expect(field("Extra funds")).toBeInvalid();
      expect(field("Loan amount")).toHaveValue("");
    }
    await user.keyboard("{Backspace}");
    expect(field("Extra funds")).toHaveValue("30,000");
    expect(field("Extra funds")).toBeValid();
    expect(field("Loan amount")).toHaveValue("32450");
  });

  test("shows an error if the field is left after a deletion that leaves ',500'", async () => {
    const { user } = visitStepThree();
    await fill(user, "Extra funds", "1,500");
    await user.type(field("Extra funds"), "{Delete}", { initialSelectionStart: 0, initialSelectionEnd: 0 });
    expect(field("Extra funds")).toHaveValue(",500");
    expect(field("Extra funds")).toBeValid();
    await user.tab();
    expect(screen.getByText(unreadable("Extra funds"))).toBeVisible();
    await user.click(amountButton("Only the repair: $2,450"));
    expect(field("Extra funds")).toHaveValue("0");
  });
});
