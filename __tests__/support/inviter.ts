import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { requireInvitation } from "@/lib/cli/invitations/invitation-list";
import { prisma } from "@/lib/server/db/client";
import { answerFreshLinkRequests } from "@/lib/server/delivery/fresh-link";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationFields } from "@/lib/server/invitations/invitation";

/**
 * Issues the links of the journeys: reads lines with an invitation's flags and prints a link for each, until the input ends.
 * A line without flags stands for a worker's round, which answers requests for fresh links. One process serves all journeys, because starting `npm run invite` takes a second each time.
 */
const options = Object.fromEntries(
  invitationFields.map(({ flag, multiple }) => [flag, { type: "string", multiple }] as const),
);

async function answerRequests(): Promise<void> {
  await answerFreshLinkRequests(prisma());
  console.log("[]");
}

async function issue(flags: string[]): Promise<void> {
  const { values } = parseArgs({ args: flags, options });
  const [issued] = await createInvitations([requireInvitation(values)]);
  console.log(JSON.stringify(issued));
}

async function issueAll(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin }))
    await (line === "[]" ? answerRequests() : issue(JSON.parse(line)));
  process.exit();
}

issueAll();
