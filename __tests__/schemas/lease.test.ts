import { cap, lease, shownCap } from "@/__tests__/support/answers";
import { hostileAmounts } from "@/__tests__/support/hostile-amounts";
import { messages } from "@/__tests__/support/messages";
import { defaultBrand } from "@/lib/brand";
import { leaseSchema as schemaFor } from "@/lib/schemas/steps";

// Each test creates the schema, because Stryker treats code that runs while a file is loaded as static.
const leaseSchema = () => schemaFor(defaultBrand);
const saysOf = (changes: Record<string, unknown>) => messages(leaseSchema(), { ...lease, ...changes });

test.each([
  ["leaseStartDate", "Lease start date is required"],
  ["leaseEndDate", "Lease end date is required"],
  ["currentRent", "Current rent is required"],
  ["loanAmount", "Loan amount is required"],
  ["invoiceAmount", "Invoice amount is required"],
])("without %s: '%s'", (field, message) => {
  for (const nothing of ["", "  ", undefined, null, {}, 7])
    expect(saysOf({ [field]: nothing })).toEqual({ [field]: message });
});

test.each([null, undefined, "text"])("%j is rejected without an exception", (value) => {
  expect(messages(leaseSchema(), value)).toEqual({ "": "Invalid input" });
});

describe("The dates", () => {
  test.each(["2026-02-30", "2026-13-01", "01/03/2026", "2026-03-01T00:00:00Z"])("'%s' is not a date", (day) => {
    expect(saysOf({ leaseStartDate: day })).toEqual({ leaseStartDate: "Lease start date must be a real date" });
    expect(saysOf({ leaseEndDate: day })).toEqual({ leaseEndDate: "Lease end date must be a real date" });
  });

  test.each(["1899-12-31", "0202-03-01", "2200-01-01", "20226-03-01"])("'%s' has an implausible year", (day) => {
    const says = (name: string) => `${name} must have a year from 1900 to 2199: check what you typed`;
    expect(saysOf({ leaseStartDate: day })).toEqual({ leaseStartDate: says("Lease start date") });
    expect(saysOf({ leaseEndDate: day })).toEqual({ leaseEndDate: says("Lease end date") });
  });

  test("a partial date must be finished", () => {
    expect(saysOf({ leaseEndDate: "unfinished" })).toEqual({
      leaseEndDate: "Lease end date isn't complete: enter its day, month and year",
    });
  });

  test.each([
    ["2026-03-01", "2026-03-01"],
    ["2026-03-01", "2026-02-28"],
    ["2026-03-01", "1999-12-31"],
  ])("a lease from %s to %s ends too early", (leaseStartDate, leaseEndDate) => {
    expect(saysOf({ leaseStartDate, leaseEndDate })).toEqual({
      leaseEndDate: "Lease end date must be after the start date",
    });
  });

  test.each([[["2026-03-01"]], [20260301]])("are not compared while one of them is %j", (leaseStartDate) => {
    expect(saysOf({ leaseStartDate, leaseEndDate: "2026-01-01" })).toEqual({
      leaseStartDate: "Lease start date is required",
    });
  });

  test("are compared while other fields are still empty", () => {
    expect(saysOf({ leaseEndDate: "2026-01-01", currentRent: "", loanAmount: "x" })).toMatchObject({
      leaseEndDate: "Lease end date must be after the start date",
      currentRent: "Current rent is required",
    });
  });
});

describe.each([
  ["currentRent", "Current weekly rent"],
  ["invoiceAmount", "Repair costs"],
  ["loanAmount", "Loan amount"],
] as const)("The amount %s", (field, name) => {
  test.each(hostileAmounts)("rejects %j", (amount) => {
    expect(Object.keys(saysOf({ [field]: amount }))).toEqual([field]);
  });

  test.each(["1", "450.5", "450.50", "0.01", "49999.99"])("keeps '%s' exactly as written", (amount) => {
    expect(leaseSchema().parse({ ...lease, [field]: amount })[field]).toBe(amount);
  });

  test("asks for an amount in dollars if the text is not one", () => {
    expect(saysOf({ [field]: "1e3" })).toEqual({
      [field]: `${name} must be an amount in dollars, such as 450 or 450.50`,
    });
  });
});

describe("The limits", () => {
  test("the loan amount is the cap at most", () => {
    expect(saysOf({ loanAmount: cap })).toEqual({});
    expect(saysOf({ loanAmount: `${cap}.01` })).toEqual({ loanAmount: `Loan amount must be ${shownCap} or less` });
  });

  test.each([
    ["currentRent", "Current weekly rent"],
    ["invoiceAmount", "Repair costs"],
  ])("%s fits its column", (field, name) => {
    expect(saysOf({ [field]: "9999999.99" })).toEqual({});
    for (const amount of ["10000000", "1234567890123"])
      expect(saysOf({ [field]: amount })).toEqual({ [field]: `${name} must be $9,999,999.99 or less` });
  });

  test.each([
    ["currentRent", "Current weekly rent must be more than $0"],
    ["loanAmount", "Loan amount must be more than $0"],
  ])("a %s of 0 is the default and not an answer: '%s'", (field, message) => {
    expect(saysOf({ [field]: "0" })).toEqual({ [field]: message });
    expect(saysOf({ [field]: "0.00" })).toEqual({ [field]: message });
  });

  test("an invoice of 0 is an answer: there may be nothing to repair", () => {
    expect(saysOf({ invoiceAmount: "0" })).toEqual({});
  });
});

describe("The pre-approval number", () => {
  test.each([undefined, "", "  ", "ABC", "PA-2026-001", "A".repeat(60)])("may be %j", (approval) => {
    expect(leaseSchema().parse({ ...lease, approval }).approval).toBe((approval ?? "").trim());
  });

  test.each([
    ["A", "Approval must be at least 3 characters"],
    ["AB", "Approval must be at least 3 characters"],
    [" AB ", "Approval must be at least 3 characters"],
    ["A".repeat(61), "Approval must be 60 characters or fewer"],
    ["PA\u00002026", "Approval has a character that can't be saved"],
    [7, "Approval must be text"],
  ])("%j: '%s'", (approval, message) => {
    expect(saysOf({ approval })).toEqual({ approval: message });
  });
});
