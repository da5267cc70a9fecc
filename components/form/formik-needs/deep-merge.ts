type Flat = Record<string, unknown>;

/** The form's errors are flat. */
export default function deepMerge(target: Flat, source: Flat): Flat {
  return { ...target, ...source };
}

deepMerge.all = (parts: Flat[]): Flat => Object.assign({}, ...parts);
