import type { SavedAnswer, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { MoneyStyle } from "@/lib/domain/money";
import { agentSchema } from "./agent";
import { landlordSchema } from "./landlord";
import { leaseSchema } from "./lease";
import type { Schema } from "./zod";

function make(style: MoneyStyle) {
  return { 1: landlordSchema, 2: agentSchema, 3: leaseSchema(style) };
}

const made = new Map<string, ReturnType<typeof make>>();

function schemasFor(style: MoneyStyle) {
  const key = `${style.locale} ${style.currency}`;
  const schemas = made.get(key) ?? make(style);
  made.set(key, schemas);
  return schemas;
}

/**
 * The schema of a step, shared by form and server. Its messages name the currency of `style`. The compiler refuses a
 * step whose schema lacks a declared answer.
 */
export function stepSchema<S extends AnswerStep>(step: S, style: MoneyStyle): Schema<StepAnswers[S]> {
  const schemas: { [Step in AnswerStep]: Schema<StepAnswers[Step]> } = schemasFor(style);
  return schemas[step];
}

/** The schema of a single answer. */
export function answerSchema(name: SavedAnswer, style: MoneyStyle): Schema<string> {
  const shapes = Object.values(schemasFor(style)).map((schema) => schema._zod.def.shape);
  const answers: Record<SavedAnswer, Schema<string>> = Object.assign({}, ...shapes);
  return answers[name];
}
