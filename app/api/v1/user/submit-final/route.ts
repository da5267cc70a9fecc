import { submitFinal } from "@/lib/server/applications/submit";
import { userCall } from "@/lib/server/http/user-call";

export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "submit-final",
  failure: "Final submission failed",
  saves: true,
  action: submitFinal,
});
