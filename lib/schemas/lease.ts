import * as z from "zod/mini";
import { maximumAdvance } from "@/lib/domain/advance";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import { centsOf, isAmount } from "@/lib/domain/money";
import { amount } from "./amount";
import { line } from "./text";

const date = (name: string) =>
  z.string(`${name} is required`).check(
    z.trim(),
    z.minLength(1, `${name} is required`),
    z.refine((text) => text === "" || isCalendarDate(text), `${name} must be a real date`),
  );

const aboveZero = (required: string) => z.refine<string>((text) => !isAmount(text) || centsOf(text) > 0, required);

/** Step 3 (specification, section 5; the order of the dates: product.md). */
export const leaseSchema = z
  .object({
    leaseStartDate: date("Lease start date"),
    leaseEndDate: date("Lease end date"),
    currentRent: amount("Current rent", "Current rent is required").check(aboveZero("Current rent is required")),
    invoiceAmount: amount("Invoice amount", "Invoice amount is required"),
    loanAmount: amount("Loan amount", "Loan amount is required", { cents: maximumAdvance, said: "$50,000" }).check(
      aboveZero("Loan amount is required"),
    ),
    approval: z._default(
      line("Approval", { longest: 60 }).check(
        z.refine((text) => text === "" || text.length >= 3, "Approval must be at least 3 characters"),
      ),
      "",
    ),
  })
  .check(
    z.refine(({ leaseStartDate, leaseEndDate }) => leaseStartDate < leaseEndDate, {
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
