import { countPolicyReport } from "@/lib/server/http/browser-reports";
import { envelopedCall } from "@/lib/server/http/call";

/** Browsers report here what a page's Content-Security-Policy has blocked. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "csp-report", failure: "The report could not be counted" },
  countPolicyReport,
);
