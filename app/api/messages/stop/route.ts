import { withDeadline } from "@/lib/server/db/client";
import { envelopedCall } from "@/lib/server/http/call";
import { countPerNetwork } from "@/lib/server/http/limits";
import { readBody } from "@/lib/server/http/read-body";
import { stopByCode } from "@/lib/server/outbox/suppressions";

const codeIn = ({ url }: Request) => new URL(url).searchParams.get("code") ?? "";

/** Called by the page, or by a mail program's own button (RFC 8058), which posts a form. All codes get the same response. */
export const { POST, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  {
    name: "stop-messages",
    failure: "We couldn't stop the messages",
    success: { status: 200, message: "We won't send you any more invitations or reminders." },
    anySite: true,
  },
  async (request, { address }) => {
    await readBody(request);
    await withDeadline(async () => {
      await countPerNetwork("stops", address);
      await stopByCode(codeIn(request));
    });
  },
);

/** Mail programs without such a button open its address as a page. */
export function GET(request: Request): Response {
  const location = `/stop?${new URLSearchParams({ code: codeIn(request) })}`;
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}
