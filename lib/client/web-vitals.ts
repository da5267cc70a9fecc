import { type Metric, onCLS, onINP, onLCP } from "web-vitals";
import type { WebVitals } from "@/lib/schemas/web-vitals";
import { pageSource } from "./browser-storage";

type Vital = WebVitals["vitals"][number];

const mostPath = 100;
const found = new Map<string, Vital>();
let isStarted = false;

/** A screen of the form is shown without a new document, so each figure keeps the path on which it last grew. */
function note({ name, value }: Metric): void {
  const rounded = name === "CLS" ? Math.round(value * 10_000) / 10_000 : Math.round(value);
  // No page of ours has a longer path. The beacon stays below 1 kB.
  const page = window.location.pathname.slice(0, mostPath);
  found.set(name, { name: name as Vital["name"], page, value: rounded });
}

/** Once, when the page is left or put into the background for the first time: later there may be no chance. */
function send(): void {
  if (document.visibilityState !== "hidden") return;
  document.removeEventListener("visibilitychange", send);
  const beacon: WebVitals = { source: pageSource() ?? "", vitals: [...found.values()] };
  if (beacon.vitals.length === 0) return;
  navigator.sendBeacon("/api/vitals", new Blob([JSON.stringify(beacon)], { type: "application/json" }));
}

/** Measures this visit, what has happened already included, and reports it in one beacon. */
export function reportWebVitals(): void {
  if (isStarted) return;
  isStarted = true;
  for (const measure of [onLCP, onINP, onCLS]) measure(note, { reportAllChanges: true });
  // After those of web-vitals, which add the last entries.
  document.addEventListener("visibilitychange", send);
}
