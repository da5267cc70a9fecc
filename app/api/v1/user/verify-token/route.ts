import { toView } from "@/lib/server/applications/to-view";
import { userCall } from "@/lib/server/http/call";

/** Only reads: mail scanners and link previews verify too, and a link works until it expires or is revoked. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "verify-token",
  failure: "Token verification failed",
  action: ({ row }) => toView(row),
});
