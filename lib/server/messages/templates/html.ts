import "server-only";

/** Markup whose values are escaped already. */
export class Html {
  constructor(readonly markup: string) {}
}

type Value = string | Html | Value[];

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function written(value: Value): string {
  if (value instanceof Html) return value.markup;
  return Array.isArray(value) ? value.map(written).join("") : escaped(value);
}

/** A tag for templates: escapes every value but markup made by it. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, n) => part + written(values[n] ?? "")).join(""));
}
