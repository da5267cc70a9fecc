/** Formik compares values, errors and what was touched: all of them are flat. */
export default function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const others = Object.entries(other);
  return (
    Object.keys(one).length === others.length &&
    others.every(([key, value]) => (one as typeof other)[key as never] === value)
  );
}
