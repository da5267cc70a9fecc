import "server-only";

/** A receiver may put an attempt off for a day, the longest delay of the schedule, and not for ever. */
const most = 24 * 60 * 60;

/** What the header asks for, in seconds from now, whether it is written in seconds or as a date; undefined without one. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const wish = headers.get("retry-after");
  if (!wish) return undefined;
  const seconds = /^\d+$/.test(wish) ? Number(wish) : Math.ceil((Date.parse(wish) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), most);
}
