import { headers } from "next/headers";
import { requirePerson } from "@/app/desk/guard";
import { openStudio } from "@/lib/server/desk/studio";
import { errorForLog, logProcess } from "@/lib/server/http/log";

/** Prisma Studio, with a document of its own, because its stylesheet would restyle the desk. */
export async function GET(): Promise<Response> {
  const { by } = await requirePerson("/desk/studio");
  const nonce = (await headers()).get("x-nonce") ?? "";
  try {
    return new Response(await openStudio(by, nonce), { headers: { "content-type": "text/html; charset=utf-8" } });
  } catch (error) {
    logProcess("error", { desk: "failed", error: errorForLog(error) });
    return new Response("Studio could not start. Tell your engineer: the log has the reason.", { status: 503 });
  }
}
