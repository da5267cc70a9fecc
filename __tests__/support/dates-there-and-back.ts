import { lease } from "@/__tests__/support/answers";
import { saveLease, verify } from "@/__tests__/support/calls";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { closeDatabase } from "@/lib/server/db/client";

/** Runs as a process with its own TZ: saves each pair of dates and prints what is read back. */
async function main(): Promise<void> {
  const pairs: [string, string][] = JSON.parse(process.argv[2] ?? "[]");
  const { token } = await invited();
  const back: unknown[] = [];
  for (const [leaseStartDate, leaseEndDate] of pairs) {
    await post(saveLease, { token, data: { ...lease, leaseStartDate, leaseEndDate } });
    const { data } = (await post(verify, { token })).body;
    back.push([data?.leaseStartDate, data?.leaseEndDate]);
  }
  console.log(JSON.stringify({ back, offset: new Date(2026, 0, 1).getTimezoneOffset() }));
  await closeDatabase();
}

main();
