import { parseArgs } from "node:util";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { invitationFlags } from "@/lib/server/invitations/invitation";
import { command, UsageError } from "./command";
import { readInvitation, readInvitations } from "./read-invitations";
import { withDatabase } from "./with-database";

const usage = `Issues links to applicants.

  npm run invite -- --mobile 61412345678 [--json] [any of these:]
${invitationFlags.map(({ flag, multiple }) => `    --${flag} …${multiple ? "   (may be repeated)" : ""}`).join("\n")}
  npm run invite -- --csv FILE [--json]    many at once: one column for each flag, several quotes as 2450.00;1999.00`;

const options = {
  json: { type: "boolean" },
  csv: { type: "string" },
} as const;

function flags() {
  const ofInvitations = invitationFlags.map(({ flag, multiple }) => [flag, { type: "string", multiple }] as const);
  const { json, csv, ...invitation } = parseArgs({
    strict: true,
    options: { ...Object.fromEntries(ofInvitations), ...options },
  }).values;
  return { json, csv, invitation };
}

function forPeople({ reference, link, expiresAt }: IssuedLink, isOneOfMany: boolean): string {
  const until = expiresAt.slice(0, 10);
  if (isOneOfMany) return `${reference}  until ${until}  ${link}`;
  return `Reference    ${reference}\nLink         ${link}\nValid until  ${until}`;
}

command(async () => {
  const { json, csv, invitation } = flags();
  if (csv !== undefined && Object.keys(invitation).length > 0)
    throw new UsageError("With --csv, everything stands in the file.");
  const invitations = csv === undefined ? [readInvitation(invitation)] : readInvitations(csv);
  for (const issued of await withDatabase(() => createInvitations(invitations))) {
    console.log(json ? JSON.stringify(issued) : forPeople(issued, csv !== undefined));
  }
}, usage);
