import { z } from "zod";
import { findByToken, prisma } from "../../db";

const text = z.string().trim().min(1).max(120);
const landlord = z.object({
  firstName: text,
  lastName: text,
  mobile: z.string().regex(/^\d{8,15}$/),
  email: z.email(),
  propertyAddress: text,
  source: z.string().max(20),
});
const body = z.object({ token: z.string().length(43), data: landlord });

export async function POST(request) {
  const { data, error } = body.safeParse(await request.json());
  if (error) return Response.json({ success: false, errors: z.flattenError(error).fieldErrors }, { status: 422 });
  const link = await findByToken(data.token);
  if (!link) return Response.json({ success: false, message: "Unauthorized" }, { status: 401 });
  const { id } = link.application;
  const [application] = await prisma.$transaction([
    prisma.application.update({ where: { id, status: "draft" }, data: data.data }),
    prisma.event.create({ data: { applicationId: id, linkId: link.id, kind: "step_saved", detail: "1" } }),
  ]);
  return Response.json({ success: true, data: application });
}
