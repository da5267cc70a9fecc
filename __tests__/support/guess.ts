import { verify } from "@/__tests__/support/calls";
import { post } from "@/__tests__/support/post";
import { closeDatabase } from "@/lib/server/db/client";
import { makeToken } from "@/lib/server/links/token";

/** One wrong token per set of headers; returns the statuses. */
export async function guess(each: Record<string, string>[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const headers of each) statuses.push((await post(verify, { token: makeToken() }, { headers })).status);
  return statuses;
}

/** Runs as its own process: headers in the argument, statuses on stdout. */
async function main(argument: string): Promise<void> {
  console.log(JSON.stringify(await guess(JSON.parse(argument))));
  await closeDatabase();
}

if (require.main === module) main(process.argv[2] ?? "[]");
