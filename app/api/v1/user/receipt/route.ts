import { prisma } from "@/lib/server/db/client";
import { evidenceReceipt } from "@/lib/server/evidence/receipt";
import { userCall } from "@/lib/server/http/call";

/** Reads only. `data` is null until the submission is in the evidence log, a second later. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = userCall({
  name: "receipt",
  failure: "Your receipt couldn't be loaded",
  action: ({ row }) => evidenceReceipt(prisma(), row.id),
});
