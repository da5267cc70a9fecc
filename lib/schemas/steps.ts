import * as z from "zod/mini";
import { maximumAdvance } from "@/lib/domain/advance";
import type { SavedAnswer, StepAnswers } from "@/lib/domain/application";
import { cached } from "@/lib/domain/cached";
import { isCalendarDate } from "@/lib/domain/calendar-date";
import type { AnswerStep } from "@/lib/domain/journey";
import type { MoneyStyle } from "@/lib/domain/money";
import type { Schema } from "./check";
import { kinds } from "./kinds";

/** Step 1 (specification, section 5). */
export const landlordSchema = z.object({
  firstName: kinds.text("First name", { required: "First name is required" }),
  lastName: kinds.text("Last name", { required: "Last name is required" }),
  mobile: z._default(kinds.phone("Please enter a valid mobile number"), ""),
  email: kinds.email("Email is required"),
  propertyAddress: kinds.text("Rental property address", {
    required: "Rental property address is required",
    maxLength: 300,
  }),
  source: z._default(kinds.source(), ""),
});

/** Step 2 (specification, section 5). */
export const agentSchema = z.object({
  agencyName: kinds.text("Agency name", { required: "Agency name is required" }),
  managerFirstName: kinds.text("Property manager first name", { required: "Property manager first name is required" }),
  managerLastName: kinds.text("Property manager last name", { required: "Property manager last name is required" }),
  contactNumber: kinds.phone("Please enter a valid contact number", { required: "Contact number is required" }),
  managerEmail: kinds.email("Manager email is required"),
});

const isDate = (value: unknown) => typeof value === "string" && isCalendarDate(value);

const approval = kinds
  .text("Approval", { maxLength: 60 })
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
        max: maximumAdvance,
      }),
      approval: z._default(approval, ""),
    })
    .check(
      z.refine(({ leaseStartDate, leaseEndDate }) => leaseStartDate < leaseEndDate, {
        path: ["leaseEndDate"],
        error: "Lease end date must be after the start date",
        // By default zod skips this check if any field is missing. The check needs only the two dates.
        when: ({ value }) => {
          const { leaseStartDate, leaseEndDate } = (value ?? {}) as Record<string, unknown>;
          return isDate(leaseStartDate) && isDate(leaseEndDate);
        },
      }),
    );

/** Created on first use, because formatting the amounts in its messages would delay the first screen of the form. */
const leaseFor = cached((locale: string, currency: string) => leaseSchema({ locale, currency }));

const schemas = {
  1: () => landlordSchema,
  2: () => agentSchema,
  3: ({ locale, currency }: MoneyStyle) => leaseFor(locale, currency),
};

/**
 * The schema of a step, for both the form and the server. Its messages name this lender's currency. The compiler refuses a step
 * whose schema lacks a declared answer.
 */
export function stepSchema<S extends AnswerStep>(step: S, style: MoneyStyle): Schema<StepAnswers[S]> {
  const makers: { [Step in AnswerStep]: (style: MoneyStyle) => Schema<StepAnswers[Step]> } = schemas;
  return makers[step](style);
}

export function answerSchema(name: SavedAnswer, style: MoneyStyle): Schema<string> {
  const shapes = Object.values(schemas).map((schema) => schema(style).shape);
  const answers: Record<SavedAnswer, Schema<string>> = Object.assign({}, ...shapes);
  return answers[name];
}

export function mayBeEmpty(name: SavedAnswer, style: MoneyStyle): boolean {
  return answerSchema(name, style).safeParse("").success;
}
