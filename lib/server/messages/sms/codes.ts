import "server-only";

/** What a provider calls a message, if it looks like an id; it is kept, and compared with what reports say. */
export function asId(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? matching(/^[\w.:@-]{1,100}$/, value) : undefined;
}

/** A provider's code, if it looks like one: its texts quote numbers and messages. Digits alone end before a number would begin. */
export function asCode(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number"
    ? matching(/^(\d{1,6}|[A-Za-z][A-Za-z_-]{0,39})$/, value)
    : undefined;
}

function matching(shape: RegExp, value: string | number): string | undefined {
  const text = String(value);
  return shape.test(text) ? text : undefined;
}
