/** One level deep: arrays and plain objects are all that Formik sets values in. */
export default function clone<T extends object>(value: T): T {
  return (Array.isArray(value) ? [...value] : { ...value }) as T;
}
