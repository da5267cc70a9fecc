import { envelopedCall } from "@/lib/server/http/call";
import { countPolicyReport } from "@/lib/server/http/policy-report";

/** Browsers report here what the Content-Security-Policy of a page has blocked. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "csp-report", failure: "The report could not be counted" },
  countPolicyReport,
);
