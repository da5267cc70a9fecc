import "server-only";
import { check, type Schema } from "@/lib/schemas/check";
import { invalidAnswers } from "./call-error";

/** The parsed value, or 422 with a message for each field. */
export function validated<T>(schema: Schema<T>, value: unknown): T {
  const { data, errors } = check(schema, value);
  if (errors) throw invalidAnswers(errors);
  return data;
}
