import "server-only";
import type { Channel } from "./claim";

const minute = 60;
const hour = 60 * minute;

/** Seconds after each attempt that is to be followed by another. */
const schedules: Record<Channel, readonly number[]> = {
  // A greylist wants a few minutes; a full mailbox may take a day. Some 60 hours in all.
  email: [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 12 * hour, 24 * hour],
  sms: [30, minute, 5 * minute, 15 * minute, hour, 4 * hour],
  // That of the Standard Webhooks specification, some 75 hours in all.
  webhook: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
};

/** Undefined after the last. */
export function delayAfter(channel: Channel, attempts: number): number | undefined {
  return schedules[channel][attempts - 1];
}
