import { startOfDay } from "@/lib/domain/zone-time";
import { database } from "@/lib/server/db/client";
import { type CountedFigures, countOrReadFigures } from "@/lib/server/figures/stored-figures";
import { currentSettings } from "@/lib/server/settings";

export interface FiguresQuery {
  batch: string;
  /** A day such as 2026-03-01, from which on people were invited; otherwise empty. */
  since: string;
}

export function readFiguresQuery(given: Record<string, string | string[] | undefined>): FiguresQuery {
  const textOf = (name: string) => (typeof given[name] === "string" ? given[name].replaceAll("\0", "").trim() : "");
  const since = textOf("since");
  const isDay = /^[1-9]\d{3}-\d\d-\d\d$/.test(since) && !Number.isNaN(Date.parse(since));
  return { batch: textOf("batch"), since: isDay ? since : "" };
}

/** By week. Those of everybody are there within a second where they are stored; others are counted while the person waits. */
export function deskFigures({ batch, since }: FiguresQuery): Promise<CountedFigures> {
  const from = since ? startOfDay(since, currentSettings().brand) : null;
  return countOrReadFigures({ batch: batch || undefined, since: from, by: "week" }, database().url);
}
