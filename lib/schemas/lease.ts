import * as z from "zod/mini";
import { maximumAdvance } from "@/lib/domain/advance";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import type { MoneyStyle } from "@/lib/domain/money";
import { kinds } from "./kinds";

const isDate = (value: unknown) => typeof value === "string" && isCalendarDate(value);

const approval = kinds
  .text("Approval", { longest: 60 })
  .check(z.refine((number) => number === "" || number.length >= 3, "Approval must be at least 3 characters"));

/** Step 3 (specification, section 5). */
export const leaseSchema = (style: MoneyStyle) =>
  z
    .object({
      leaseStartDate: kinds.date("Lease start date"),
      leaseEndDate: kinds.date("Lease end date"),
      currentRent: kinds.money("Current weekly rent", style, { required: "Current rent is required", aboveZero: true }),
      invoiceAmount: kinds.money("Repair costs", style, { required: "Invoice amount is required" }),
      loanAmount: kinds.money("Loan amount", style, {
        required: "Loan amount is required",
        aboveZero: true,
        most: maximumAdvance,
      }),
      approval: z._default(approval, ""),
    })
    .check(
      z.refine(({ leaseStartDate, leaseEndDate }) => leaseStartDate < leaseEndDate, {
        path: ["leaseEndDate"],
        error: "Lease end date must be after the start date",
        // By default zod skips this check if any field is missing. The check needs only the two dates.
        when: ({ value }) => {
          const dates = value as { leaseStartDate?: unknown; leaseEndDate?: unknown } | null;
          return isDate(dates?.leaseStartDate) && isDate(dates?.leaseEndDate);
        },
      }),
    );
