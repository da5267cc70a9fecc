import { type Schema, safeParse } from "./zod";

/** A message for each field that is wrong, by its name. */
export type Messages = Record<string, string>;

export type Checked<T> = { data: T; errors?: undefined } | { data?: undefined; errors: Messages };

/** What is not an object has none of the fields, so that each of them gets its message. */
function fieldsOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** What a step's schema makes of a value: its answers as they are saved, or what is wrong with them. */
export function check<T>(schema: Schema<T>, value: unknown): Checked<T> {
  const { data, error } = safeParse(schema, fieldsOf(value));
  if (!error) return { data: data as T };
  // Object.fromEntries defines own properties, so a field named __proto__ stays a field. The first message wins.
  const messages = error.issues.map(({ path, message }) => [path.join("."), message]).reverse();
  return { errors: Object.fromEntries(messages) };
}
