/** The form's names are flat, or at most dotted: none has brackets. */
export default function toPath(name: string | string[]): string[] {
  return Array.isArray(name) ? name : name.split(".");
}
