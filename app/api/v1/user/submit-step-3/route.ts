import { saveStep } from "@/lib/server/applications/save-step";
import { userCall } from "@/lib/server/http/call";

export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "submit-step-3",
  failure: "Step 3 submission failed",
  saves: true,
  action: saveStep(3),
});
