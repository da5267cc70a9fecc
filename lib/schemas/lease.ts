import { maximumAdvance } from "@/lib/domain/advance";
import { firstYear, isCalendarDate, isRealDay, lastYear, unfinishedDate } from "@/lib/domain/calendar-date";
import type { MoneyStyle } from "@/lib/domain/money";
import { amount } from "./amount";
import { line } from "./text";
import { minLength, object, refine, string, trim, withDefault } from "./zod";

const date = (name: string) =>
  string(
    `${name} is required`,
    trim(),
    minLength(1, `${name} is required`),
    refine((text) => text !== unfinishedDate, {
      error: `${name} is not complete: enter its day, month and year`,
      abort: true,
    }),
    refine((text) => text === "" || isRealDay(text), { error: `${name} must be a real date`, abort: true }),
    refine(
      (text) => text === "" || isCalendarDate(text),
      `${name} must have a year from ${firstYear} to ${lastYear}: check what you typed`,
    ),
  );

/** Step 3 (specification, section 5; the order of the dates: product.md). */
export const leaseSchema = (style: MoneyStyle) =>
  object(
    {
      leaseStartDate: date("Lease start date"),
      leaseEndDate: date("Lease end date"),
      currentRent: amount("Current rent", style, { required: "Current rent is required", aboveZero: true }),
      invoiceAmount: amount("Invoice amount", style, { required: "Invoice amount is required" }),
      loanAmount: amount("Loan amount", style, {
        required: "Loan amount is required",
        aboveZero: true,
        most: maximumAdvance,
      }),
      approval: withDefault(
        line(
          "Approval",
          { longest: 60 },
          refine((text) => text === "" || text.length >= 3, "Approval must be at least 3 characters"),
        ),
        "",
      ),
    },
    refine(({ leaseStartDate, leaseEndDate }) => leaseStartDate < leaseEndDate, {
      path: ["leaseEndDate"],
      error: "Lease end date must be after the start date",
      // Judged as soon as both dates are real, whatever else is still missing.
      when: ({ value }) => {
        const dates = value as { leaseStartDate?: unknown; leaseEndDate?: unknown } | null;
        return [dates?.leaseStartDate, dates?.leaseEndDate].every(
          (one) => typeof one === "string" && isCalendarDate(one),
        );
      },
    }),
  );
