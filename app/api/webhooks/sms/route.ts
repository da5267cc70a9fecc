import { takeReport } from "@/lib/server/channels/sms/take-report";
import { envelopedCall } from "@/lib/server/http/call";

/** Receives delivery reports from the configured SMS provider, and people's replies to an SMS. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "sms-report", failure: "The report could not be saved" },
  takeReport,
);
