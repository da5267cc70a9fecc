import "server-only";
import { dayIn, startOfDay } from "@/lib/domain/zone-time";
import type { Db } from "@/lib/server/db/client";
import { enqueueOnceOn } from "@/lib/server/messages/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";

const monday = 1;
const sevenHoursMs = 7 * 3_600_000;

/** Once on a Monday, at seven or as soon as a worker runs on that day. */
export async function enqueueWeeklyFigures(db: Db, now = new Date()): Promise<void> {
  const { FIGURES_EMAIL, brand } = currentSettings();
  const day = dayIn(now, brand);
  if (!FIGURES_EMAIL || new Date(day).getUTCDay() !== monday) return;
  if (now.getTime() < startOfDay(day, brand).getTime() + sevenHoursMs) return;
  await enqueueOnceOn(day, db, "weekly-figures", FIGURES_EMAIL);
}
