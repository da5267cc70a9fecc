import { readiness } from "@/lib/server/http/readiness";

/** For load balancers: 200 while this process should receive calls, otherwise 503. */
export async function GET(): Promise<Response> {
  const found = await readiness();
  const headers = { "cache-control": "no-store" };
  return Response.json(found, { status: found.status === "ready" ? 200 : 503, headers });
}
