import { readFileSync } from "node:fs";
import { parseSync } from "@swc/core";
import { productFiles } from "./product-files";

/** Files with text for applicants: screens, messages, emails and SMS, but not commands and logs, which operations read. */
const files = [
  ...productFiles("app", "components", "lib/client", "lib/domain", "lib/schemas", "lib/server/templates"),
  ...[
    "lib/brand.ts",
    "lib/server/applications/submit.ts",
    "lib/server/http/call-error.ts",
    "lib/server/http/limits.ts",
    "lib/server/http/read-body.ts",
    "lib/server/delivery/fresh-link.ts",
  ],
].filter((file) => !/sms-text/.test(file));

/** A text that is read as a unit: a paragraph, a heading or a label. */
interface Passage {
  file: string;
  sentences: string[];
}

/** A node of SWC's syntax tree. */
interface Node {
  type: string;
  [key: string]: unknown;
}

/** Stands in for a value that is only known when the sentence is shown, such as a name, an amount or a date. */
const value = "Ada";
/** Elements whose text is a part of the sentence around them. */
const inline = /^(?:a|b|strong|span|em|Link|button|LocalTime|Titles|br)$/;
/** Properties whose text people read or hear. */
const spoken = /^(?:aria-label|title|hint|label|past|next|busyLabel|alt|incomplete)$/;

const isNode = (found: unknown): found is Node => typeof found === "object" && found !== null && "type" in found;
const isElement = ({ type }: Node) => type === "JSXElement" || type === "JSXFragment";
const childrenOf = (node: Node) => (isElement(node) ? (node.children as Node[]) : []);
const tagOf = (node: Node) => ((node.opening as Node | undefined)?.name as { value?: string } | undefined)?.value ?? "";

/** Returns the text of an expression, or a stand-in. Adds conditional texts, and those of nested blocks, to `separate`. */
function wordsOf(node: Node, separate: string[]): string {
  switch (node.type) {
    case "JSXText":
      return (node.value as string).replace(/\s*\n\s*/g, " ");
    case "StringLiteral":
      return node.value as string;
    case "TemplateLiteral": {
      const values = (node.expressions as Node[]).map((expression) => wordsOf(expression, separate));
      return (node.quasis as { cooked: string }[]).map(({ cooked }, n) => cooked + (values[n] ?? "")).join("");
    }
    case "ParenthesisExpression":
    case "JSXExpressionContainer":
      return wordsOf(node.expression as Node, separate);
    case "JSXEmptyExpression":
      return "";
    case "ConditionalExpression":
      separate.push(wordsOf(node.consequent as Node, separate), wordsOf(node.alternate as Node, separate));
      return "";
    case "BinaryExpression":
      if (!["&&", "||", "??"].includes(node.operator as string)) return value;
      separate.push(wordsOf(node.right as Node, separate));
      return "";
    case "JSXFragment":
    case "JSXElement": {
      const words = childrenOf(node).map((child) => wordsOf(child, separate));
      if (node.type === "JSXFragment" || inline.test(tagOf(node))) return words.join("") || value;
      separate.push(words.join(""));
      return " ";
    }
    default:
      return value;
  }
}

function attributesOf(node: Node): Node[] {
  const attributes = node.type === "JSXElement" ? ((node.opening as Node).attributes as Node[]) : [];
  return [...attributes, ...childrenOf(node).flatMap(attributesOf)];
}

/** Returns the expressions inside a text, because the values that they choose between or pass on are texts as well. */
function expressionsOf(node: Node): Node[] {
  if (node.type === "TemplateLiteral") return node.expressions as Node[];
  return childrenOf(node).flatMap((child) =>
    child.type === "JSXExpressionContainer" ? [child.expression as Node] : expressionsOf(child),
  );
}

/** Adds every text below the node to `found`. */
function collect(node: Node, found: string[]): void {
  if (/^(?:Import|Export(?:All|Named)|Ts)/.test(node.type)) return;
  if (node.type === "JSXAttribute") {
    const name = (node.name as { value?: string }).value ?? "";
    if (!isNode(node.value)) return;
    if (spoken.test(name)) found.push(wordsOf(node.value, found));
    if (node.value.type === "JSXExpressionContainer" && !/class/i.test(name)) collect(node.value, found);
  } else if (isElement(node) || node.type === "StringLiteral" || node.type === "TemplateLiteral") {
    found.push(wordsOf(node, found));
    for (const part of [...attributesOf(node), ...expressionsOf(node)]) collect(part, found);
  } else {
    for (const child of Object.values(node).flat()) {
      // SWC wraps each argument of a call and each element of an array in an object with an `expression`.
      const inner = isNode(child) ? child : (child as { expression?: unknown } | null)?.expression;
      if (isNode(inner)) collect(inner, found);
    }
  }
}

const isProse = (text: string) => /^[^a-z]*[A-Z“"'’]/.test(text) && /[a-z]/.test(text) && text.includes(" ");

/** Returns every text of the product, with the file that contains it. */
export function passagesOfOurs(): Passage[] {
  return files.flatMap((file) => {
    const found: string[] = [];
    const program = parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: file.endsWith("x") });
    collect(program as unknown as Node, found);
    return [...new Set(found)].map((text) => {
      const sentences = text.split(/\n|(?<=[.?!])\s+(?=[^a-z])/).map((part) => part.replace(/\s+/g, " ").trim());
      return { file, sentences: sentences.filter(isProse) };
    });
  });
}
