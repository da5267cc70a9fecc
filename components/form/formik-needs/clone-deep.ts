/** The form's values are data. */
export default function cloneDeep<T>(value: T): T {
  return structuredClone(value);
}
