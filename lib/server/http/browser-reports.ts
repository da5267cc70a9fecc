import "server-only";
import { pagePaths } from "@/lib/domain/journey";
import type { WebVitals } from "@/lib/schemas/web-vitals";
import { refuseOtherSites } from "./call";
import { clientAddress, networkOf } from "./client-address";
import { countAgainst } from "./limits";
import { count, logPolicyReport } from "./log";
import { readBody } from "./read-body";

/** As CSP names them; anybody can post a report, and a metric is to have few labels. */
const directive =
  /^(default|script|style|img|font|connect|object|frame|worker|manifest|media|form|base)-(src|src-elem|src-attr|action|uri|ancestors)$/;

/**
 * Counts a report by its directive and keeps nothing else of it: what was blocked, and where, may be personal. Browsers send
 * `application/csp-report`, or a list as `application/reports+json`.
 */
export async function countPolicyReport(request: Request): Promise<void> {
  refuseOtherSites(request);
  const body = await readBody(request);
  await countAgainst("policyReports", networkOf(clientAddress(request.headers)));
  const named = directiveIn(body);
  count(({ policyReports }) => policyReports.inc({ directive: named }));
  logPolicyReport(named);
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

/** Those of the specification. Anybody can write another one into a link, and each would be a series of its own. */
const sources = ["", "ba", "ia"];

const known = (all: readonly string[], text: string) => (all.includes(text) ? text : "other");

/** Adds a beacon to the histograms of /metrics, by page and source. */
export function countVitals({ source, vitals }: WebVitals): void {
  count(({ webVitals }) => {
    for (const { name, page, value } of vitals) {
      const labels = { page: known(pagePaths, page), source: known(sources, source) };
      webVitals[name].observe(labels, name === "CLS" ? value : value / 1000);
    }
  });
}
