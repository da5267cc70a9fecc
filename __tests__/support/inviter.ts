import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { readInvitation } from "@/lib/cli/invitation-list";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationFlags } from "@/lib/server/invitations/invitation";

/**
 * Issues the links of the journeys: reads lines with an invitation's flags and prints a link for each, until the input ends.
 * One process serves all journeys, because starting `npm run invite` takes a second each time.
 */
const options = Object.fromEntries(
  invitationFlags.map(({ flag, multiple }) => [flag, { type: "string", multiple }] as const),
);

async function issue(flags: string[]): Promise<void> {
  const { values } = parseArgs({ args: flags, options });
  const [issued] = await createInvitations([readInvitation(values)]);
  console.log(JSON.stringify(issued));
}

async function issueAll(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) await issue(JSON.parse(line));
  process.exit();
}

issueAll();
