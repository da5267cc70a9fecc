import { z } from "zod";
import { findByToken } from "../../db";

const body = z.object({ token: z.string().length(43), source: z.string().optional() });

export async function POST(request) {
  const { data } = body.safeParse(await request.json());
  const link = data && (await findByToken(data.token));
  if (!link) return Response.json({ success: false, message: "Unauthorized" }, { status: 401 });
  return Response.json({ success: true, data: link.application });
}
