import { type Schema, safeParse } from "@/lib/schemas/zod";

/** The first message for each field that a schema refuses, as the form shows them. */
export function messages(schema: Schema, answers: unknown): Record<string, string> {
  const parsed = safeParse(schema, answers);
  const issues = parsed.success ? [] : [...parsed.error.issues].reverse();
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}
