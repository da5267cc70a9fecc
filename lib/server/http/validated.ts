import "server-only";
import { type Schema, safeParse } from "@/lib/schemas/zod";
import { invalidAnswers } from "./call-error";

/** What is not an object has none of the fields, so that each of them gets its message. */
function fieldsOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function messages({ issues }: { issues: readonly { path: PropertyKey[]; message: string }[] }): Record<string, string> {
  // Object.fromEntries defines own properties, so a field named __proto__ stays a field. The first message wins.
  return Object.fromEntries(issues.map((issue) => [issue.path.join("."), issue.message]).reverse());
}

/** What is wrong with a value, by field; empty when nothing is. */
export function fieldErrors(schema: Schema, value: unknown): Record<string, string> {
  const { error } = safeParse(schema, fieldsOf(value));
  return error ? messages(error) : {};
}

/** The parsed value, or 422 with a message for each field. */
export function validated<T>(schema: Schema<T>, value: unknown): T {
  const parsed = safeParse(schema, fieldsOf(value));
  if (!parsed.success) throw invalidAnswers(messages(parsed.error));
  return parsed.data;
}
