import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { readInvitation } from "@/lib/cli/invitation-list";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationFlags } from "@/lib/server/invitations/invitation";

/**
 * Issues the links of the journeys: for each line with an invitation's flags one with its link, until the input ends. One
 * process for all, since each that `npm run invite` starts costs a second.
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
