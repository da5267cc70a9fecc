import { prisma, withDeadline } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";

/** For monitoring: 200 while the process and its database answer, otherwise 503. Load balancers use /api/ready. */
export async function GET(): Promise<Response> {
  const isAvailable = await withDeadline(() => transactionTime(prisma())).then(
    () => true,
    () => false,
  );
  const body = { status: isAvailable ? "ok" : "database unavailable" };
  return Response.json(body, { status: isAvailable ? 200 : 503, headers: { "cache-control": "no-store" } });
}
