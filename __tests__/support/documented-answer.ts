import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import type { Answer } from "./post";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];
interface Documented {
  content?: { "application/json": { schema: JsonSchema } };
}
interface Api {
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  components: {
    schemas: Record<
      string,
      { properties: Record<string, { maxItems?: number; maxLength?: number; pattern?: string }> }
    >;
  };
}

/** Replaces each $ref by the node that it refers to. */
function resolved(node: unknown, root: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => resolved(item, root));
  if (typeof node !== "object" || node === null) return node;
  const { $ref } = node as { $ref?: string };
  if ($ref) {
    const named = $ref.split("/").slice(1);
    return resolved(
      named.reduce((at, key) => (at as Record<string, unknown>)[key], root),
      root,
    );
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value, root)]));
}

const file = parse(readFileSync("docs/api.yaml", "utf8"));
/** docs/api.yaml, with each reference resolved. */
export const api = resolved(file, file) as Api;

/** Returns the answer if docs/api.yaml documents its status for the call and its body fits that schema. Throws otherwise. */
export function documented(method: "get" | "post", path: string, answer: Answer): Answer {
  const response = api.paths[path]?.[method]?.responses[answer.status];
  const schema = response?.content?.["application/json"].schema;
  if (!schema) throw new Error(`docs/api.yaml does not name ${answer.status} for ${method} ${path}.`);
  const { error } = z.fromJSONSchema(schema).safeParse(answer.body);
  if (error) throw new Error(`${method} ${path}, ${answer.status}, is not as in docs/api.yaml: ${error.message}`);
  return answer;
}
