import { parseSync } from "@swc/core";
import newer from "./newer-names.json";

const scripts = new Set(newer.scripts);
const styles = new Set(newer.styles);

type Tree = Record<string, unknown> & { type?: string };

function every(node: unknown, visit: (one: Tree) => void): void {
  if (node === null || typeof node !== "object") return;
  if (!Array.isArray(node)) visit(node as Tree);
  for (const child of Object.values(node)) every(child, visit);
}

/** Safari before 16.3 refuses `(function a([a]) {})`. */
function takesItsOwnName({ identifier, params }: Tree): boolean {
  const name = (identifier as Tree | null)?.value;
  let isTaken = false;
  for (const { pat } of params as { pat: Tree }[])
    if (name && pat.type !== "Identifier")
      every(pat, ({ type, value }) => (isTaken ||= type === "Identifier" && value === name));
  return isTaken;
}

/** Safari before 16 loses variables of `a = (b)` or `a = () => b`; not of `a = this.c = b`, which the compiler makes of static blocks. */
function isMoreThanAName({ value }: Tree): boolean {
  let isMore = false;
  every(
    value,
    ({ type }) =>
      (isMore ||=
        type !== undefined &&
        !/^(Identifier|MemberExpression|AssignmentExpression|\w+Literal|ThisExpression)$/.test(type)),
  );
  return isMore;
}

/** Of syntax: what ES2022 has and the oldest browsers lack or misread, and what came after it. */
function syntaxIn(node: Tree): string[] {
  const { type, pattern, flags } = node as { type: string; pattern: string; flags: string };
  if (type === "StaticBlock") return ["static {}"];
  if (type === "UsingDeclaration") return ["using"];
  if (type === "FunctionExpression" && takesItsOwnName(node)) return ["a parameter with its function's name"];
  if (/^(Class|Private)Property$/.test(type) && isMoreThanAName(node)) return ["a field with more than a name"];
  if (type !== "RegExpLiteral") return [];
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

/** What of a script is newer than the oldest browsers that the product serves. */
export function newerInScript(script: string): string[] {
  const found = new Set<string>();
  const members = new Set<unknown>();
  every(parseSync(script, { syntax: "ecmascript", target: "es2022" }), (node) => {
    // The name of a property is no global.
    for (const part of [node.property, node.key]) members.add(part);
    for (const name of syntaxIn(node)) found.add(name);
    if (!members.has(node)) for (const name of namesIn(node)) if (scripts.has(name)) found.add(name);
  });
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
