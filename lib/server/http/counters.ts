import { Counter, Histogram, register } from "prom-client";

/*
 * Next bundles the instrumentation, which serves the metrics, and the calls separately, so this module is loaded twice. Both
 * copies share prom-client's registry, which is not bundled (next.config.mjs), and the first one defines each metric.
 */

function counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]) {
  return (register.getSingleMetric(name) as Counter<Label>) ?? new Counter({ name, help, labelNames });
}

function histogram<Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) {
  return (register.getSingleMetric(name) as Histogram<Label>) ?? new Histogram({ name, help, buckets, labelNames });
}

export const calls = histogram(
  "rent_advance_call_seconds",
  "Calls, and links that pages have verified (page), by status.",
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  "call",
  "status",
);

export const submissions = counter("rent_advance_submissions_total", "Applications submitted.");

export const messages = counter(
  "rent_advance_messages_total",
  "Attempts to send, by outcome.",
  "channel",
  "kind",
  "outcome",
);

export const evidenceFailures = counter(
  "rent_advance_evidence_failures_total",
  "Failed attempts to append to the evidence log.",
);

const visits = (name: string, help: string, buckets: number[]) => histogram(name, help, buckets, "page", "source");

/** Web vitals as browsers report them, with a bucket at the thresholds of 'good' and 'poor'. */
export const webVitals = {
  LCP: visits(
    "rent_advance_largest_contentful_paint_seconds",
    "When the largest part of a page was drawn.",
    [0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10],
  ),
  INP: visits(
    "rent_advance_interaction_to_next_paint_seconds",
    "Time from the slowest input of a visit to the next paint.",
    [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
  ),
  CLS: visits(
    "rent_advance_cumulative_layout_shift",
    "Cumulative layout shift of a page.",
    [0.01, 0.05, 0.1, 0.25, 0.5, 1],
  ),
};

export const policyReports = counter(
  "rent_advance_policy_reports_total",
  "Violations of the Content-Security-Policy that browsers report.",
  "directive",
);
// Without a sample, /metrics would not list this counter until the first report.
policyReports.inc({ directive: "other" }, 0);
