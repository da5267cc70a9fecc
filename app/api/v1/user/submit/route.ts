import { submitWhole } from "@/lib/server/applications/submit";
import { userCall } from "@/lib/server/http/call";

/** The whole application in one call, for the lender's own app. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "submit",
  failure: "Data submission failed",
  saves: true,
  action: submitWhole,
});
