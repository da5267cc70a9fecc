import type * as z from "zod/mini";

export type Schema<Output = unknown> = z.ZodMiniType<Output>;

/** A message for each invalid field, by the name of the field. */
export type Messages = Record<string, string>;

export type Checked<T> = { data: T; errors?: undefined } | { data?: undefined; errors: Messages };

/** Anything but an object counts as an object without fields, so that every required field gets its message. */
function fieldsOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Returns the answers as they are saved (trimmed, normalised), or a message for each invalid field. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const { data, error } = schema.safeParse(fieldsOf(value));
  if (!error) return { data };
  // Reversed, so that the first message of a field wins.
  const messages = error.issues.map(({ path, message }) => [path.join("."), message]).reverse();
  return { errors: Object.fromEntries(messages) };
}
