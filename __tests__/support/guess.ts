import { verify } from "@/__tests__/support/calls";
import { post } from "@/__tests__/support/post";
import { closeDatabase } from "@/lib/server/db/client";
import { makeToken } from "@/lib/server/links/token";

/** Tries one wrong token for each set of headers. Returns the statuses. */
export async function guess(headerSets: Record<string, string>[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const headers of headerSets) statuses.push((await post(verify, { token: makeToken() }, { headers })).status);
  return statuses;
}

/** Runs as its own process, which takes the headers as its argument and prints the statuses. */
async function main(argument: string): Promise<void> {
  console.log(JSON.stringify(await guess(JSON.parse(argument))));
  await closeDatabase();
}

if (require.main === module) main(process.argv[2] ?? "[]");
