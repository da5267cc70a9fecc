import { maximumAdvance } from "@/lib/domain/advance";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import type { MoneyStyle } from "@/lib/domain/money";
import { amount } from "./amount";
import { date } from "./date";
import { line } from "./text";
import { object, refine, withDefault } from "./zod";

/** Step 3 (specification, section 5). */
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
      // By default zod skips this check if any field is missing. It needs only the two dates.
      when: ({ value }) => {
        const dates = value as { leaseStartDate?: unknown; leaseEndDate?: unknown } | null;
        return [dates?.leaseStartDate, dates?.leaseEndDate].every(
          (one) => typeof one === "string" && isCalendarDate(one),
        );
      },
    }),
  );
