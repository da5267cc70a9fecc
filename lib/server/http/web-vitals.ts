import "server-only";
import { pagePaths } from "@/lib/domain/journey";
import type { WebVitals } from "@/lib/schemas/web-vitals";
import { count } from "./log";

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
