import { isEnding } from "@/lib/server/calls/lame-duck";
import { inTime } from "@/lib/server/database/in-time";
import { query } from "@/lib/server/database/query";

export const dynamic = "force-dynamic";

/** For the load balancer: 200 while this process can take calls, otherwise 503. */
export async function GET(): Promise<Response> {
  const status = isEnding() ? "ending" : await databaseStatus();
  return Response.json(
    { status },
    { status: status === "ready" ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}

function databaseStatus(): Promise<string> {
  return inTime(() => query({ text: "SELECT 1" })).then(
    () => "ready",
    () => "database away",
  );
}
