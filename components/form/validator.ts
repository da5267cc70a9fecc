import { toFormikValidate } from "zod-formik-adapter";
import type { ApplicationAnswers } from "@/lib/domain/application";
import { type Schema, safeParseAsync } from "@/lib/schemas/zod";

type Validator = ReturnType<typeof toFormikValidate<ApplicationAnswers>>;
type AdapterSchema = Parameters<typeof toFormikValidate<ApplicationAnswers>>[0];

const validators = new WeakMap<Schema, Validator>();

/** A step's schema as Formik asks it when a field is left. */
export function validatorOf(schema: Schema): Validator {
  // The adapter only calls safeParseAsync; its types know whole zod alone.
  const asked = { safeParseAsync: (value: unknown) => safeParseAsync(schema, value) } as unknown as AdapterSchema;
  const validator = validators.get(schema) ?? toFormikValidate<ApplicationAnswers>(asked);
  validators.set(schema, validator);
  return validator;
}
