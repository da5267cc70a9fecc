import { maximumAdvance } from "@/lib/domain/advance";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import { amount } from "./amount";
import { line } from "./text";
import { minLength, object, refine, string, trim, withDefault } from "./zod";

const date = (name: string) =>
  string(
    `${name} is required`,
    trim(),
    minLength(1, `${name} is required`),
    refine((text) => text === "" || isCalendarDate(text), `${name} must be a real date`),
  );

/** Step 3 (specification, section 5). */
export const leaseSchema = object(
  {
    leaseStartDate: date("Lease start date"),
    leaseEndDate: date("Lease end date"),
    currentRent: amount("Current rent", { required: "Current rent is required", aboveZero: true }),
    invoiceAmount: amount("Invoice amount", { required: "Invoice amount is required" }),
    loanAmount: amount("Loan amount", {
      required: "Loan amount is required",
      aboveZero: true,
      most: { cents: maximumAdvance, said: "$50,000" },
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
    // Runs as soon as both dates are valid, even while other answers are not.
    when: ({ value }) => {
      const dates = value as { leaseStartDate?: unknown; leaseEndDate?: unknown } | null;
      return [dates?.leaseStartDate, dates?.leaseEndDate].every(
        (one) => typeof one === "string" && isCalendarDate(one),
      );
    },
  }),
);
