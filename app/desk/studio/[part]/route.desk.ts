import { isFromDesk, personUsing } from "@/app/desk/guard";
import { answerQuery, studioFile } from "@/lib/server/desk/studio";
import { readBody } from "@/lib/server/http/read-body";

type Context = { params: Promise<{ part: string }> };

/** Studio's page reloads after this status, and then leads to the sign-in. */
const refused = () => new Response("You have been signed out.", { status: 403 });

/** The script and the stylesheet of Studio's page. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  if (!(await personUsing())) return refused();
  const file = await studioFile((await params).part);
  if (!file) return new Response(null, { status: 404 });
  return new Response(file.contents, { headers: { "content-type": file.type, "cache-control": "no-store" } });
}

const readQuery = async (request: Request) => JSON.parse(Buffer.from(await readBody(request)).toString());

/** Runs the SQL that Studio's page sends. The database user can only read. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  if ((await params).part !== "bff") return new Response(null, { status: 404 });
  const person = await personUsing();
  if (!person || !(await isFromDesk())) return refused();
  return Response.json(await answerQuery(await readQuery(request).catch(() => ({})), person.by));
}
