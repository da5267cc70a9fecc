import type { Schema } from "@/lib/schemas/check";

/**
 * The messages for each invalid field: the calls report the first (lib/schemas/check.ts), the form the last, so that there
 * should be no more than one.
 */
export function messages(schema: Schema, answers: unknown): Record<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { path, message } of schema.safeParse(answers).error?.issues ?? []) {
    const name = path.join(".");
    found.set(name, (found.get(name) ?? new Set()).add(message));
  }
  return Object.fromEntries([...found].map(([name, all]) => [name, [...all].join(" / ")]));
}
