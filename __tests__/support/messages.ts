import type { Schema } from "@/lib/schemas/check";

/**
 * Returns the messages for each invalid field. There should be no more than one, because the calls report the first message
 * (lib/schemas/check.ts) and the form the last.
 */
export function messages(schema: Schema, answers: unknown): Record<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { path, message } of schema.safeParse(answers).error?.issues ?? []) {
    const name = path.join(".");
    found.set(name, (found.get(name) ?? new Set()).add(message));
  }
  return Object.fromEntries([...found].map(([name, all]) => [name, [...all].join(" / ")]));
}
