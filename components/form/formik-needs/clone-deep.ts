/** The form's values are plain data, which structuredClone can copy. */
export default function cloneDeep<T>(value: T): T {
  return structuredClone(value);
}
