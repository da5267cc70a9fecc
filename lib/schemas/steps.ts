import type { SavedAnswer, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { MoneyStyle } from "@/lib/domain/money";
import { agentSchema } from "./agent";
import type { Schema } from "./check";
import { landlordSchema } from "./landlord";
import { leaseSchema } from "./lease";

const leases = new Map<string, ReturnType<typeof leaseSchema>>();

/** Created on first use, because formatting the amounts in its messages would delay the first screen of the form. */
function leaseFor(style: MoneyStyle) {
  const key = `${style.locale} ${style.currency}`;
  const schema = leases.get(key) ?? leaseSchema(style);
  leases.set(key, schema);
  return schema;
}

const schemas = { 1: () => landlordSchema, 2: () => agentSchema, 3: leaseFor };

/**
 * The schema of a step, for both the form and the server. Its messages name this lender's currency. The compiler refuses a step
 * whose schema lacks a declared answer.
 */
export function stepSchema<S extends AnswerStep>(step: S, style: MoneyStyle): Schema<StepAnswers[S]> {
  const makers: { [Step in AnswerStep]: (style: MoneyStyle) => Schema<StepAnswers[Step]> } = schemas;
  return makers[step](style);
}

/** The schema of a single answer. */
export function answerSchema(name: SavedAnswer, style: MoneyStyle): Schema<string> {
  const shapes = Object.values(schemas).map((schema) => schema(style).shape);
  const answers: Record<SavedAnswer, Schema<string>> = Object.assign({}, ...shapes);
  return answers[name];
}
