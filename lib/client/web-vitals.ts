import { type Metric, onCLS, onINP, onLCP } from "web-vitals";
import type { WebVitals } from "@/lib/schemas/web-vitals";
import { pageSource } from "./browser-storage";

type Vital = WebVitals["vitals"][number];

const maxPathLength = 100;
const found = new Map<string, Vital>();

/** The form changes its path without a new document, so each metric keeps the path on which it last grew. */
function note({ name, value }: Metric): void {
  const rounded = name === "CLS" ? Math.round(value * 10_000) / 10_000 : Math.round(value);
  // No page of the app has a longer path. The limit keeps the beacon below 1 kB.
  const page = window.location.pathname.slice(0, maxPathLength);
  found.set(name, { name: name as Vital["name"], page, value: rounded });
}

/** Sends the beacon once, when the page is first left or put into the background. There may be no later chance. */
function send(): void {
  if (document.visibilityState !== "hidden") return;
  document.removeEventListener("visibilitychange", send);
  const beacon: WebVitals = { source: pageSource(), vitals: [...found.values()] };
  if (beacon.vitals.length === 0) return;
  navigator.sendBeacon("/api/vitals", new Blob([JSON.stringify(beacon)], { type: "application/json" }));
}

/** Measures this visit, including what has already happened, and reports it in one beacon. */
export function reportWebVitals(): void {
  for (const measure of [onLCP, onINP, onCLS]) measure(note, { reportAllChanges: true });
  // This listener must run after those of web-vitals, which add the last entries.
  document.addEventListener("visibilitychange", send);
}
