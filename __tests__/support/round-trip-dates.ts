import { lease } from "@/__tests__/support/answers";
import { saveLease, verify } from "@/__tests__/support/calls";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { formatCalendarDate } from "@/lib/domain/calendar-date";
import { closeDatabase } from "@/lib/server/db/client";

/** Runs as a process with its own TZ: saves each pair of dates, and prints what is read back and what people read. */
async function main(): Promise<void> {
  const pairs: [string, string][] = JSON.parse(process.argv[2] ?? "[]");
  const { token } = await invited();
  const back: unknown[] = [];
  const read: string[] = [];
  for (const [leaseStartDate, leaseEndDate] of pairs) {
    await post(saveLease, { token, data: { ...lease, leaseStartDate, leaseEndDate } });
    const { data } = (await post(verify, { token })).body;
    back.push([data?.leaseStartDate, data?.leaseEndDate]);
    read.push(formatCalendarDate(String(data?.leaseStartDate), "en-US"));
  }
  console.log(JSON.stringify({ back, read, offset: new Date(2026, 0, 1).getTimezoneOffset() }));
  await closeDatabase();
}

main();
