import { takeEmailReport } from "@/lib/server/channels/bounces/take-report";
import { envelopedCall } from "@/lib/server/http/call";

/** Receives bounces and complaints from a mail provider that reports them by calls. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "email-report", failure: "The report could not be saved" },
  takeEmailReport,
);
