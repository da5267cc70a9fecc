import { requirePerson } from "@/app/desk/guard";
import { isOpenedFromDesk } from "@/app/desk/opened-from-desk";
import { personalDataOf } from "@/lib/server/applications/personal-data";
import { recordRun } from "@/lib/server/applications/record-run";
import { mayDo } from "@/lib/server/desk/rights";
import { Refusal } from "@/lib/server/refusal";
import { personalDataPage } from "@/lib/server/templates/personal-data-page";

/** Downloads everything that is stored about the person, as a page to send to them. */
export async function GET(request: Request, { params }: { params: Promise<{ reference: string }> }): Promise<Response> {
  const { reference: typed } = await params;
  const person = await requirePerson(`/desk/${encodeURIComponent(typed)}`);
  if (!mayDo(person.role, "export")) return answer("Only an approver may do this.", 403);
  if (!isOpenedFromDesk(request)) return answer("Export it from the desk.", 403);
  const data = await personalDataOf(typed).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (!data) return answer("There is no such application.", 404);
  const { reference } = data;
  await recordRun({ by: person.by, command: "desk export", count: 1, reference });
  return answer(personalDataPage(data), 200, {
    "content-type": "text/html; charset=utf-8",
    "content-disposition": `attachment; filename="${reference}.html"`,
  });
}

const answer = (body: string, status: number, headers = {}) =>
  new Response(body, {
    status,
    headers: { "cache-control": "no-store", "content-type": "text/plain; charset=utf-8", ...headers },
  });
