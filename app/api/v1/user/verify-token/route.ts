import { toView } from "@/lib/server/applications/to-view";
import { userCall } from "@/lib/server/http/call";

/** Does not use up the link, because mail scanners and link previews verify it too. It works until it expires or is revoked. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "verify-token",
  failure: "Token verification failed",
  action: ({ row }) => toView(row),
});
