import { inTime } from "@/lib/server/db/in-time";
import { query } from "@/lib/server/db/query";

export const dynamic = "force-dynamic";

/** For whoever watches the process: 200 while it and its database answer, otherwise 503. Load balancers ask /api/ready. */
export async function GET(): Promise<Response> {
  const answers = await inTime(() => query({ text: "SELECT 1" })).then(
    () => true,
    () => false,
  );
  const body = { status: answers ? "ok" : "database away" };
  return Response.json(body, { status: answers ? 200 : 503, headers: { "cache-control": "no-store" } });
}
