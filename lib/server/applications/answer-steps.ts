import "server-only";
import { lockedWhenInvited } from "@/lib/domain/application";
import { type AnswerStep, steps } from "@/lib/domain/journey";
import { agentSchema } from "@/lib/schemas/agent";
import { landlordSchema } from "@/lib/schemas/landlord";
import { leaseSchema } from "@/lib/schemas/lease";
import type { Schema } from "@/lib/schemas/zod";
import { CallError } from "@/lib/server/http/call-error";
import { fieldErrors, validated } from "@/lib/server/http/validated";
import { Prisma } from "@/prisma/generated/client";
import type { ApplicationRow } from "./application-row";
import { invitedAnswers, toView } from "./to-view";

/** What saving one step needs: the form's own schema, and the columns the step owns. */
export interface StepRules {
  step: AnswerStep;
  /** What is wrong, by field; empty when nothing is. */
  errors(data: unknown): Record<string, string>;
  /** The SET list of an UPDATE of applications; a field the step does not own cannot appear. Throws 422. */
  assignments(data: unknown): Prisma.Sql;
}

function rules<T>(step: AnswerStep, schema: Schema<T>, columns: (answers: T) => Prisma.Sql): StepRules {
  return {
    step,
    errors: (data) => fieldErrors(schema, data),
    assignments: (data) => columns(validated(schema, data)),
  };
}

export const landlordStep = rules(
  1,
  landlordSchema,
  (a) => Prisma.sql`
    "firstName" = ${a.firstName}, "lastName" = ${a.lastName}, "mobile" = ${a.mobile}, "email" = ${a.email},
    "propertyAddress" = ${a.propertyAddress}, "source" = COALESCE(NULLIF(${a.source}, ''), "source"),
    "landlordSavedAt" = now()`,
);

export const agentStep = rules(
  2,
  agentSchema,
  (a) => Prisma.sql`
    "agencyName" = ${a.agencyName}, "managerFirstName" = ${a.managerFirstName},
    "managerLastName" = ${a.managerLastName}, "contactNumber" = ${a.contactNumber},
    "managerEmail" = ${a.managerEmail}, "agentSavedAt" = now()`,
);

export const leaseStep = rules(
  3,
  leaseSchema,
  (a) => Prisma.sql`
    "leaseStartDate" = ${a.leaseStartDate}::date, "leaseEndDate" = ${a.leaseEndDate}::date,
    "currentRent" = ${a.currentRent}::numeric, "invoiceAmount" = ${a.invoiceAmount}::numeric,
    "loanAmount" = ${a.loanAmount}::numeric, "approval" = ${a.approval}, "leaseSavedAt" = now()`,
);

export const answerSteps = [landlordStep, agentStep, leaseStep];

/** A phone number that the invitation carried is the lender's: whatever a call sends in its place is not looked at. */
export function withLockedFields(data: unknown, row: ApplicationRow): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const invited = invitedAnswers(row);
  const locked = lockedWhenInvited.filter((field) => invited[field] !== "").map((field) => [field, invited[field]]);
  return { ...data, ...Object.fromEntries(locked) };
}

/** Refuses (422) a submission whose steps are not all valid as stored, naming the first that is not. */
export function requireComplete(row: ApplicationRow): void {
  const view = toView(row);
  for (const { step, errors } of answerSteps) {
    const wrong = errors(view);
    if (Object.keys(wrong).length === 0) continue;
    const title = steps[step - 1]?.title;
    throw new CallError(422, `Step ${step} (${title}) is not complete`, { errors: wrong, data: { step } });
  }
}
