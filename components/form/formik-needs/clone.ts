/** A shallow copy. Formik sets values only in arrays and plain objects. */
export default function clone<T extends object>(value: T): T {
  return (Array.isArray(value) ? [...value] : { ...value }) as T;
}
