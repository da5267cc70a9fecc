import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { GET as read } from "@/app/api/v1/invitations/[reference]/route";
import { POST as create } from "@/app/api/v1/invitations/route";
import { type CallResponse, post } from "./post";

type JsonSchema = Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>;
interface Documented {
  $ref?: string;
  headers?: Record<string, { required?: boolean }>;
  content?: { "application/json": { schema: JsonSchema } };
}
interface Api {
  paths: Record<string, Record<string, { responses: Record<string, Documented> }>>;
  components: {
    responses: Record<string, Documented>;
    schemas: Record<
      string,
      { properties: Record<string, { maxItems?: number; maxLength?: number; pattern?: string }> }
    >;
  };
}

/** docs/api.yaml. zod resolves references to schemas by the name that they have in JSON Schema. */
export const api: Api = parse(readFileSync("docs/api.yaml", "utf8").replaceAll("#/components/schemas/", "#/$defs/"));
const { schemas: $defs, responses: sharedResponses } = api.components;

/** Returns the response if it has the body and the headers that docs/api.yaml documents for its status. Throws otherwise. */
export function documented(method: "get" | "post", path: string, response: CallResponse): CallResponse {
  const { status, body } = response;
  const { $ref, ...own } = api.paths[path]?.[method]?.responses[status] ?? {};
  const { content, headers = {} } = { ...own, ...sharedResponses[$ref?.split("/").at(-1) ?? ""] };
  const schema = content?.["application/json"].schema;
  if (!schema) throw new Error(`docs/api.yaml does not name ${status} for ${method} ${path}.`);
  const { error } = z.fromJSONSchema({ ...schema, $defs }).safeParse(body);
  if (error) throw new Error(`${method} ${path}, ${status}, is not as in docs/api.yaml: ${error.message}`);
  const expected = Object.entries(headers).filter(([, { required = true }]) => required);
  const absent = expected.flatMap(([name]) => (response.headers.has(name) ? [] : [name]));
  if (absent.length > 0) throw new Error(`${method} ${path}, ${status}, has no ${absent.join(", ")}.`);
  return response;
}

export const alex = { mobile: "0412 345 678", firstName: "Alex", quotes: ["1980", "2,450.00"], source: "ba" };
export const refused = (status: number, message: string) => ({ status, body: { success: false, message } });
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** Every response must match docs/api.yaml. */
export const send = async (...options: Parameters<typeof post>) =>
  documented("post", "/api/v1/invitations", await post(...options));
export const call = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  send(create, body, { headers: { ...bearer(key), ...headers } });

export async function look(key: string, reference: string): Promise<CallResponse> {
  const path = `/api/v1/invitations/${reference}`;
  const response = await post(read, undefined, { method: "GET", path, headers: bearer(key) });
  return documented("get", "/api/v1/invitations/{reference}", response);
}

/** Sends a request with this Idempotency-Key. */
export const order = (key: string, idempotencyKey: string, body: unknown = alex) =>
  call(key, body, { "idempotency-key": idempotencyKey });

export const tokenOf = (link: unknown) => new URL(String(link)).searchParams.get("token") ?? "";
