import type { SavedAnswer, StepAnswers } from "@/lib/domain/application";
import type { StepNumber } from "@/lib/domain/journey";
import type { MoneyStyle } from "@/lib/domain/money";
import { agentSchema } from "./agent";
import { consentSchema } from "./consent";
import { landlordSchema } from "./landlord";
import { leaseSchema } from "./lease";
import type { Schema } from "./zod";

interface Schemas {
  /** The compiler refuses a step whose schema lacks a declared answer. */
  steps: { [S in StepNumber]: Schema<StepAnswers[S]> };
  answers: Record<SavedAnswer, Schema<string>>;
}

const made = new Map<string, Schemas>();

function make(style: MoneyStyle): Schemas {
  const lease = leaseSchema(style);
  return {
    steps: { 1: landlordSchema, 2: agentSchema, 3: lease, 4: consentSchema },
    answers: { ...landlordSchema._zod.def.shape, ...agentSchema._zod.def.shape, ...lease._zod.def.shape },
  };
}

function schemasFor(style: MoneyStyle): Schemas {
  const key = `${style.locale} ${style.currency}`;
  const schemas = made.get(key) ?? make(style);
  made.set(key, schemas);
  return schemas;
}

/** The schema of a step, for the form and the server alike; its messages speak of this lender's currency. */
export function stepSchema<S extends StepNumber>(step: S, style: MoneyStyle): Schema<StepAnswers[S]> {
  return schemasFor(style).steps[step];
}

/** The schema of a single answer. */
export function answerSchema(name: SavedAnswer, style: MoneyStyle): Schema<string> {
  return schemasFor(style).answers[name];
}
