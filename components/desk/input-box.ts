/** The box of an input or a select that stands without a field's frame: a search, a filter. */
export const inputBox = "min-h-11 rounded-lg border border-line-strong bg-surface px-3";
