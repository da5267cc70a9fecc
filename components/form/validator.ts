import { toFormikValidate } from "zod-formik-adapter";
import type { ApplicationAnswers } from "@/lib/domain/application";
import { type Schema, safeParseAsync } from "@/lib/schemas/zod";

type Validator = ReturnType<typeof toFormikValidate<ApplicationAnswers>>;
type AdapterSchema = Parameters<typeof toFormikValidate<ApplicationAnswers>>[0];

const validators = new WeakMap<Schema, Validator>();

/** A step's schema as Formik's `validate` function, one per schema. */
export function validatorOf(schema: Schema): Validator {
  // The adapter calls nothing but safeParseAsync, but its type asks for a schema of zod itself, not of zod's core.
  const asked = { safeParseAsync: (value: unknown) => safeParseAsync(schema, value) } as unknown as AdapterSchema;
  const validator = validators.get(schema) ?? toFormikValidate<ApplicationAnswers>(asked);
  validators.set(schema, validator);
  return validator;
}
