import type { NextRequest } from "next/server";
import { personHere } from "@/app/desk/guard";
import { countSubmittedSince } from "@/lib/server/applications/list-page";

/** How many were submitted since a list was read. A list asks by itself, so this does not count as use. */
export async function GET(request: NextRequest): Promise<Response> {
  if (!(await personHere())) return Response.json({}, { status: 401 });
  return Response.json({ count: await countSubmittedSince(request.nextUrl.searchParams.get("since") ?? "") });
}
