import { parseSync } from "@swc/core";
import newer from "./newer-names.json";

const scripts = new Set(newer.scripts);
const styles = new Set(newer.styles);

type Tree = Record<string, unknown> & { type?: string };

/** Of syntax: what ES2022 has and the oldest browsers lack, and what came after it. */
function syntaxIn(node: Tree): string[] {
  if (node.type === "StaticBlock") return ["static {}"];
  if (node.type === "UsingDeclaration") return ["using"];
  if (node.type !== "RegExpLiteral") return [];
  const { pattern, flags } = node as { pattern: string; flags: string };
  if (/\(\?<[=!]/.test(pattern)) return ["lookbehind"];
  return flags.includes("v") || /\(\?[ims-]+:/.test(pattern) ? ["a newer RegExp"] : [];
}

/** Of what a script calls or constructs: what it only reads is undefined, and throws nothing. */
function namesIn(node: Tree): string[] {
  if (node.type === "Identifier") return [node.value as string];
  const callee = node.type === "CallExpression" ? (node.callee as Tree) : {};
  if (callee.type !== "MemberExpression") return [];
  const { object, property } = callee as { object: Tree; property: Tree };
  return [`.${property.value}`, `${object.value ?? (object.property as Tree | undefined)?.value}.${property.value}`];
}

/** The name of a property, which is no global. */
function isOwnName(part: string, child: unknown): boolean {
  return (part === "property" || part === "key") && (child as Tree | null)?.type === "Identifier";
}

/** What of a script is newer than the oldest browsers that the product serves. */
export function newerInScript(script: string): string[] {
  const found = new Set<string>();
  function visit(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (node === null || typeof node !== "object" || Array.isArray(node)) return;
    for (const name of syntaxIn(node as Tree)) found.add(name);
    for (const name of namesIn(node as Tree)) if (scripts.has(name)) found.add(name);
    for (const [part, child] of Object.entries(node)) if (!isOwnName(part, child)) visit(child);
  }
  visit(parseSync(script, { syntax: "ecmascript", target: "es2022" }));
  return [...found].sort();
}

/** The same of a stylesheet: properties, their values, pseudo-classes, at-rules and units. */
export function newerInStyles(css: string): string[] {
  const found = new Set<string>();
  const units = new Set<string>();
  for (const [, property, value = ""] of css.matchAll(/[{;]([a-z-]+):([^;{}]*)/g)) {
    found.add(`${property}`);
    for (const word of value.match(/[a-z-]+/g) ?? []) found.add(`${property}:${word}`);
    for (const [, unit] of value.matchAll(/\d([sdl]v[hw]|lh|cq\w+)\b/g)) units.add(`a length in ${unit}`);
  }
  for (const [, name] of css.matchAll(/::?([a-z-]+)/g)) found.add(`:${name}`);
  for (const [rule] of css.matchAll(/@[a-z-]+/g)) found.add(rule);
  return [...[...found].filter((name) => styles.has(name)), ...units].sort();
}
