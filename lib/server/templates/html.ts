/** Markup whose values are already escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

type Value = string | Html | Value[];

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function markupOf(value: Value): string {
  if (value instanceof Html) return value.markup;
  return Array.isArray(value) ? value.map(markupOf).join("") : escaped(value);
}

/** A template tag that escapes every value except Html. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.map((part, n) => part + markupOf(values[n] ?? "")).join(""));
}

/** The light colours of app/globals.css, for emails, the icon and the browser's frame, which cannot use that stylesheet. */
export const light = {
  ink: "#12241f",
  soft: "#425450",
  paper: "#f8f7f3",
  surface: "#ffffff",
  line: "#dfe2dc",
  brand: "#0b5c4b",
  band: "#073a30",
  mark: "#e5f1ec",
  accent: "#f2b134",
};

/** The same colours in dark mode. The band is dark in both modes. */
const dark = {
  ink: "#f2f5f3",
  soft: "#b7c5c0",
  paper: "#0a1512",
  surface: "#12241f",
  line: "#2c423b",
  brand: "#8ed6c0",
  mark: "#1b3a32",
};

export const fonts = "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/**
 * The rules that inline styles cannot express. Mail programs that drop them show the email in light colours. `!important`
 * overrides the inline styles in programs that keep them.
 */
export const styleSheet = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.room{padding-left:20px!important;padding-right:20px!important}}
@media (prefers-color-scheme:dark){
.paper{background-color:${dark.paper}!important}
.surface{background-color:${dark.surface}!important;border-color:${dark.line}!important}
.ink{color:${dark.ink}!important}
.soft{color:${dark.soft}!important}
.line{border-color:${dark.line}!important}
.mark{background-color:${dark.mark}!important}
.link{color:${dark.brand}!important}
.button{background-color:${dark.brand}!important;color:${light.band}!important}
}`;
