import { prisma, withDeadline } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";

export const dynamic = "force-dynamic";

/** For whoever watches the process: 200 while it and its database answer, otherwise 503. Load balancers ask /api/ready. */
export async function GET(): Promise<Response> {
  const answers = await withDeadline(() => databaseNow(prisma())).then(
    () => true,
    () => false,
  );
  const body = { status: answers ? "ok" : "database away" };
  return Response.json(body, { status: answers ? 200 : 503, headers: { "cache-control": "no-store" } });
}
