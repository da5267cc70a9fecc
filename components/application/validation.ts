import { toFormikValidate } from "zod-formik-adapter";
import type { StepAnswers } from "@/lib/client/api";
import type { AnswerStep } from "@/lib/domain/journey";
import { agentSchema } from "@/lib/schemas/agent";
import { landlordSchema } from "@/lib/schemas/landlord";
import { leaseSchema } from "@/lib/schemas/lease";
import { parse, type Schema, safeParseAsync } from "@/lib/schemas/zod";
import type { FormValues } from "./form-values";

const schemas: { [S in AnswerStep]: Schema<StepAnswers[S]> } = {
  1: landlordSchema,
  2: agentSchema,
  3: leaseSchema,
};

type AdapterSchema = Parameters<typeof toFormikValidate<FormValues>>[0];

// The adapter only calls safeParseAsync; its types know whole zod alone.
const validatorOf = (schema: Schema) =>
  toFormikValidate({ safeParseAsync: (value: unknown) => safeParseAsync(schema, value) } as unknown as AdapterSchema);

export const validators = {
  1: validatorOf(schemas[1]),
  2: validatorOf(schemas[2]),
  3: validatorOf(schemas[3]),
} satisfies Record<AnswerStep, unknown>;

/** The valid answers of a step as they are sent: trimmed, normalised, and nothing of other steps. */
export function answersOf<S extends AnswerStep>(step: S, values: FormValues): StepAnswers[S] {
  return parse(schemas[step], values);
}
