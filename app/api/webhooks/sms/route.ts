import { envelopedCall } from "@/lib/server/http/call";
import { takeReport } from "@/lib/server/messages/sms/take-report";

/** Delivery reports of the SMS provider that is set up, and what people answer to a text. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "sms-report", failure: "The report could not be kept" },
  takeReport,
);
