/** Without support for brackets: the form's field names are flat. */
export default function toPath(name: string | string[]): string[] {
  return Array.isArray(name) ? name : name.split(".");
}
