import { screen } from "@testing-library/react";
import { fakeApi } from "@/__tests__/support/api";
import { choice, field, fill, visitStepThree } from "@/__tests__/support/step-three";

const api = fakeApi();

describe("a landlord who types or pastes amounts on step 3", () => {
  test.each([
    ["Loan amount", "60000", "50000", "47550"],
    ["Extra funds", "60000", "50000", "47550"],
    ["Extra funds", "0", "2450", "0"],
  ])("who asks for %s of %s gets an amount between 0 and 50,000", async (name, requested, loan, extra) => {
    const { user } = visitStepThree();
    await fill(user, name, requested);
    expect(field("Loan amount")).toHaveValue(loan);
    expect(field("Extra funds")).toHaveValue(extra);
  });

  test.each([
    ["Loan amount", "2450", "We've changed it to $50,000, the most we can advance."],
    ["Extra funds", "2450", "We've changed it to $47,550. With your invoice, that's $50,000, the most we can advance."],
    ["Extra funds", "", "We've changed it to $50,000, the most we can advance."],
  ])("who types too much into %s with a quote of '%s' reads why, until it is changed", async (name, quote, reason) => {
    const { user } = visitStepThree({ quote });
    await fill(user, name, "60000");
    await user.tab();
    expect(screen.getByText(reason)).toBeVisible();
    await user.type(field(name), "{Backspace}");
    expect(screen.queryByText(reason)).toBeNull();
  });

  test.each(["Loan amount", "Extra funds"])(
    "who pastes more digits than any amount into %s gets the cap",
    async (name) => {
      const { user } = visitStepThree();
      await user.clear(field(name));
      await user.paste("$1,234,567,890,123");
      expect(field("Loan amount")).toHaveValue("50000");
      expect(field(name)).toBeValid();
      expect(screen.getByText(/^We've changed it to/)).toBeVisible();
    },
  );

  test("who types too much and then chooses another amount no longer sees why it became smaller", async () => {
    const { user } = visitStepThree();
    const reasons = () => screen.queryAllByText(/the most we can advance/);
    await fill(user, "Current weekly rent", "300");
    await fill(user, "Loan amount", "60000");
    expect(reasons()).toHaveLength(1);
    await user.click(choice(/Only the invoice/));
    expect(reasons()).toEqual([]);
    // The amount is as large as before, but this time it was not reduced.
    await fill(user, "Loan amount", "50000");
    expect(reasons()).toEqual([]);
    await fill(user, "Extra funds", "60000");
    expect(reasons()).toHaveLength(1);
    await fill(user, "Repair costs", "3000");
    expect(field("Extra funds")).toHaveValue("31200");
    expect(reasons()).toEqual([]);
  });

  test("whose extra funds are reduced and whose invoice then grows no longer sees the old reason", async () => {
    const { user } = visitStepThree();
    await fill(user, "Current weekly rent", "500");
    await fill(user, "Extra funds", "60000");
    await user.type(field("Repair costs"), "{Backspace}");
    expect(field("Loan amount")).toHaveValue("50000");
    expect(screen.queryByText(/the most we can advance/)).toBeNull();
  });

  test.each([
    ["letters", "4a5b0", "450"],
    ["a second point", "450.5.0", "450.50"],
    ["thousands", "1,250", "1250"],
    ["thousands with cents", "1,234.56", "1234.56"],
    ["a decimal comma", "450,50", "450.50"],
    ["an unfinished amount", "0450.", "450"],
    ["cents alone", ".5", "0.50"],
  ])("may type %s into an amount", async (_, typed, held) => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.keyboard(typed);
    await user.tab();
    expect(field("Current weekly rent")).toHaveValue(held);
  });

  const amountFields = ["Current weekly rent", "Loan amount", "Extra funds"];

  test.each(amountFields)("replaces the dollars of '%s' and keeps the cents", async (name) => {
    const { user } = visitStepThree();
    await fill(user, name, "2450.50");
    await user.tab();
    const dollars = { initialSelectionStart: 4, initialSelectionEnd: 4 };
    await user.type(field(name), "{Backspace}{Backspace}{Backspace}{Backspace}", dollars);
    expect(field(name)).toHaveValue(".50");
    await user.keyboard("3100");
    expect(field(name)).toHaveValue("3100.50");
  });

  test.each(amountFields)("types cents alone into '%s'", async (name) => {
    const { user } = visitStepThree({ quote: "" });
    await user.clear(field(name));
    await user.type(field(name), ".75");
    expect(field(name)).toHaveValue(".75");
    await user.tab();
    expect(field(name)).toHaveValue("0.75");
  });

  test("types cents alone that are more than the extra funds left", async () => {
    const { user } = visitStepThree({ quote: "49999.50" });
    await fill(user, "Extra funds", ".7");
    expect(field("Extra funds")).toHaveValue("0.50");
    expect(screen.getByText(/the most we can advance/)).toBeVisible();
  });

  test.each([
    ["$650 pw", "650"],
    ["AUD 650", "650"],
    ["650/week", "650"],
    ["1,234.56", "1234.56"],
  ])("pastes '%s' as a rent", async (pasted, held) => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.paste(pasted);
    expect(field("Current weekly rent")).toHaveValue(held);
    expect(field("Current weekly rent")).toBeValid();
  });

  const unreadable = (name: string) => `${name} must be an amount in dollars, such as 450 or 450.50`;

  test.each(["Current weekly rent", "Repair costs", "Loan amount", "Extra funds"])(
    "who pastes text that is not an amount into '%s' reads the error at once and corrects it",
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

  test("who pastes one letter reads at once that it is not an amount", async () => {
    const { user } = visitStepThree();
    await user.click(field("Current weekly rent"));
    await user.paste("x");
    expect(field("Current weekly rent")).toHaveValue("x");
    expect(await screen.findByText(unreadable("Current weekly rent"))).toBeVisible();
  });

  test("cannot go on with extra funds that cannot be read, and then takes only the invoice, without an error", async () => {
    const { user } = visitStepThree({ leaseStartDate: "2026-03-01", leaseEndDate: "2027-02-28" });
    await fill(user, "Current weekly rent", "300");
    await user.clear(field("Extra funds"));
    await user.paste("as much as possible");
    expect(field("Extra funds")).toBeInvalid();
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(await screen.findByRole("link", { name: "Loan amount is required" })).toBeVisible();
    expect(api.calls).toEqual([]);
    await user.click(choice("Only the invoice: $2,450"));
    expect(field("Loan amount")).toHaveValue("2450");
    expect(field("Extra funds")).toHaveValue("0");
    expect(field("Extra funds")).toBeValid();
    // The pasted text does not come back with an empty loan amount.
    await user.clear(field("Current weekly rent"));
    await user.clear(field("Repair costs"));
    expect(field("Extra funds")).toHaveValue("");
    expect(screen.queryByText(unreadable("Extra funds"))).toBeNull();
  });

  test("who corrects pasted extra funds has the error, and no loan amount, until they are an amount", async () => {
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

  test("who deletes the first digit of '1,500' reads that the extra funds are not an amount", async () => {
    const { user } = visitStepThree();
    await fill(user, "Extra funds", "1,500");
    await user.type(field("Extra funds"), "{Delete}", { initialSelectionStart: 0, initialSelectionEnd: 0 });
    expect(field("Extra funds")).toHaveValue(",500");
    expect(screen.getByText(unreadable("Extra funds"))).toBeVisible();
    await user.click(choice("Only the invoice: $2,450"));
    expect(field("Extra funds")).toHaveValue("0");
  });
});
