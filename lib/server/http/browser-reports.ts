import { pagePaths } from "@/lib/domain/journey";
import { knownSources } from "@/lib/domain/source";
import type { WebVitals } from "@/lib/schemas/web-vitals";
import { countPerNetwork } from "./limits";
import { count, logProcess } from "./log";
import { readBody } from "./read-body";

/** The directive names of CSP. Anybody can post a report, and other names would add labels to the metric. */
const directive =
  /^(default|script|style|img|font|connect|object|frame|worker|manifest|media|form|base)-(src|src-elem|src-attr|action|uri|ancestors)$/;

/**
 * Counts a report by its directive and discards the rest, because the blocked URL and the page's URL may be personal. Browsers
 * send `application/csp-report`, or a list as `application/reports+json`.
 */
export async function countPolicyReport(request: Request, { address }: { address: string }): Promise<void> {
  const body = await readBody(request);
  await countPerNetwork("policyReports", address);
  const reported = directiveIn(body);
  count(({ policyReports }) => policyReports.inc({ directive: reported }));
  logProcess("warn", { policy: "violated", directive: reported });
}

function directiveIn(body: Uint8Array): string {
  try {
    const read = JSON.parse(new TextDecoder().decode(body));
    const [report] = Array.isArray(read) ? [read[0]?.body] : [read["csp-report"]];
    const name = String(report?.["effective-directive"] ?? report?.effectiveDirective);
    return directive.test(name) ? name : "other";
  } catch {
    return "other";
  }
}

/** The sources in the specification. Anybody can put another one into a link, and each would add a time series. */
const sources = ["", ...knownSources];

const labelOf = (allowed: readonly string[], text: string) => (allowed.includes(text) ? text : "other");

/** Adds the web vitals of a beacon to the histograms of /metrics, by page and source. */
export function countVitals({ source, vitals }: WebVitals): void {
  count(({ webVitals }) => {
    for (const { name, page, value } of vitals) {
      const labels = { page: labelOf(pagePaths, page), source: labelOf(sources, source) };
      webVitals[name].observe(labels, name === "CLS" ? value : value / 1000);
    }
  });
}
