import { envelopedCall } from "@/lib/server/http/call";
import { takeEmailReport } from "@/lib/server/messages/bounces/take-report";

/** Receives bounces and complaints from a mail provider that reports them by calls. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "email-report", failure: "The report could not be saved" },
  takeEmailReport,
);
