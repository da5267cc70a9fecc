import "server-only";
import { Counter, Histogram, register } from "prom-client";

/*
 * Next bundles the instrumentation, which serves the metrics, and the calls apart. They share the registry of prom-client,
 * which is not bundled (next.config.mjs), so that whoever counts first defines a counter.
 */

type Calls = Histogram<"call" | "status">;
type Messages = Counter<"channel" | "kind" | "outcome">;

export const calls =
  (register.getSingleMetric("rent_advance_call_seconds") as Calls) ??
  new Histogram({
    name: "rent_advance_call_seconds",
    help: "Calls, and links that pages have verified (page), by status.",
    labelNames: ["call", "status"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });

export const submissions =
  (register.getSingleMetric("rent_advance_submissions_total") as Counter) ??
  new Counter({ name: "rent_advance_submissions_total", help: "Applications submitted." });

export const messages =
  (register.getSingleMetric("rent_advance_messages_total") as Messages) ??
  new Counter({
    name: "rent_advance_messages_total",
    help: "Attempts to send, by outcome.",
    labelNames: ["channel", "kind", "outcome"],
  });

type Visits = Histogram<"page" | "source">;

const visits = (name: string, help: string, buckets: number[]) =>
  (register.getSingleMetric(name) as Visits) ?? new Histogram({ name, help, labelNames: ["page", "source"], buckets });

/** As browsers report them, with a bucket at each limit of good and poor. */
export const webVitals = {
  LCP: visits(
    "rent_advance_largest_contentful_paint_seconds",
    "When the largest part of a page was drawn.",
    [0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10],
  ),
  INP: visits(
    "rent_advance_interaction_to_next_paint_seconds",
    "How long the slowest tap or key of a visit took to show.",
    [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2],
  ),
  CLS: visits(
    "rent_advance_cumulative_layout_shift",
    "How much a page moved by itself.",
    [0.01, 0.05, 0.1, 0.25, 0.5, 1],
  ),
};

export const policyReports =
  (register.getSingleMetric("rent_advance_policy_reports_total") as Counter<"directive">) ??
  new Counter({
    name: "rent_advance_policy_reports_total",
    help: "What browsers report that the Content-Security-Policy has blocked.",
    labelNames: ["directive"],
  });
// Without a sample it would not be listed until the first report.
policyReports.inc({ directive: "other" }, 0);
