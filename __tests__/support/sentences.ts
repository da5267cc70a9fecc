import { readFileSync } from "node:fs";
import { parseSync } from "@swc/core";
import { productFiles } from "./product-files";

/** What people read: screens, messages of rules and calls, emails and SMS. Commands and logs are for operations. */
const files = [
  ...productFiles("app", "components", "lib/client", "lib/domain", "lib/schemas", "lib/server/messages/templates"),
  ...[
    "lib/brand.ts",
    "lib/server/applications/submit.ts",
    "lib/server/http/call-error.ts",
    "lib/server/http/limits.ts",
    "lib/server/http/read-body.ts",
    "lib/server/messages/fresh-link.ts",
  ],
].filter((file) => !/phone-metadata|sms-text/.test(file));

/** What is read at once: a paragraph, a heading, a label. */
export interface Passage {
  file: string;
  sentences: string[];
}

/** A node of SWC's syntax tree. */
interface Node {
  type: string;
  [key: string]: unknown;
}

/** Stands for what is only known when the sentence is shown: a name, an amount, a date. */
const value = "Ada";
/** Elements that are a part of the sentence around them. */
const inline = /^(?:a|b|strong|span|em|Link|button|LocalTime|Titles|br)$/;
/** Properties that people read or hear. */
const spoken = /^(?:aria-label|title|hint|label|past|next|busyLabel|alt|incomplete)$/;

const isNode = (found: unknown): found is Node => typeof found === "object" && found !== null && "type" in found;
const isElement = ({ type }: Node) => type === "JSXElement" || type === "JSXFragment";
const childrenOf = (node: Node) => (isElement(node) ? (node.children as Node[]) : []);
const tagOf = (node: Node) => ((node.opening as Node | undefined)?.name as { value?: string } | undefined)?.value ?? "";

/** What an expression says, or a stand-in. What is said only under a condition, or in a block of its own, goes to `others`. */
function wordsOf(node: Node, others: string[]): string {
  switch (node.type) {
    case "JSXText":
      return (node.value as string).replace(/\s*\n\s*/g, " ");
    case "StringLiteral":
      return node.value as string;
    case "TemplateLiteral": {
      const values = (node.expressions as Node[]).map((one) => wordsOf(one, others));
      return (node.quasis as { cooked: string }[]).map(({ cooked }, n) => cooked + (values[n] ?? "")).join("");
    }
    case "ParenthesisExpression":
    case "JSXExpressionContainer":
      return wordsOf(node.expression as Node, others);
    case "JSXEmptyExpression":
      return "";
    case "ConditionalExpression":
      others.push(wordsOf(node.consequent as Node, others), wordsOf(node.alternate as Node, others));
      return "";
    case "BinaryExpression":
      if (!["&&", "||", "??"].includes(node.operator as string)) return value;
      others.push(wordsOf(node.right as Node, others));
      return "";
    case "JSXFragment":
    case "JSXElement": {
      const words = childrenOf(node).map((child) => wordsOf(child, others));
      if (node.type === "JSXFragment" || inline.test(tagOf(node))) return words.join("") || value;
      others.push(words.join(""));
      return " ";
    }
    default:
      return value;
  }
}

function attributesOf(node: Node): Node[] {
  const own = node.type === "JSXElement" ? ((node.opening as Node).attributes as Node[]) : [];
  return [...own, ...childrenOf(node).flatMap(attributesOf)];
}

/** The expressions inside a text: what they choose between or pass on is text as well. */
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
    for (const one of [...attributesOf(node), ...expressionsOf(node)]) collect(one, found);
  } else {
    for (const one of Object.values(node).flat()) {
      // Arguments of a call, and elements of an array, are wrapped once.
      const inner = isNode(one) ? one : (one as { expression?: unknown } | null)?.expression;
      if (isNode(inner)) collect(inner, found);
    }
  }
}

const isProse = (text: string) => /^[^a-z]*[A-Z“"'’]/.test(text) && /[a-z]/.test(text) && text.includes(" ");

/** Everything that the product says, with the file that says it. */
export function passagesOfOurs(): Passage[] {
  return files.flatMap((file) => {
    const found: string[] = [];
    const program = parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: file.endsWith("x") });
    collect(program as unknown as Node, found);
    return [...new Set(found)].map((text) => {
      const sentences = text.split(/\n|(?<=[.?!])\s+(?=[^a-z])/).map((one) => one.replace(/\s+/g, " ").trim());
      return { file, sentences: sentences.filter(isProse) };
    });
  });
}
