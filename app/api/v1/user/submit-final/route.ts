import { submitFinal } from "@/lib/server/applications/submit";
import { userCall } from "@/lib/server/http/call";

export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "submit-final",
  failure: "Final submission failed",
  saves: true,
  action: submitFinal,
});
