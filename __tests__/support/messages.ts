import { type Schema, safeParse } from "@/lib/schemas/zod";

/** The first message per invalid field, as the form shows it. */
export function messages(schema: Schema, answers: unknown): Record<string, string> {
  const parsed = safeParse(schema, answers);
  const issues = parsed.success ? [] : [...parsed.error.issues].reverse();
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}
