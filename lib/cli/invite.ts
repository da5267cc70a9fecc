import { parseArgs } from "node:util";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { command, UsageError } from "./command";
import { readInvitation, readInvitations } from "./read-invitations";
import { withDatabase } from "./with-database";

const usage = `Issues links to applicants.

  npm run invite -- --mobile 61412345678 [--first-name … --last-name … --email … --property-address …
    --agency-name … --agent-first-name … --agent-last-name … --agent-mobile … --agent-email …
    --quote 2450.00 (repeatable) --source ba --expires-days 30] [--json]
  npm run invite -- --csv FILE [--json]    many at once: one column for each flag, several quotes as 2450.00;1999.00`;

const text = { type: "string" } as const;

function flags() {
  try {
    return parseArgs({
      strict: true,
      options: {
        json: { type: "boolean" },
        help: { type: "boolean" },
        csv: text,
        mobile: text,
        "agent-mobile": text,
        "first-name": text,
        "last-name": text,
        email: text,
        "property-address": text,
        "agency-name": text,
        "agent-first-name": text,
        "agent-last-name": text,
        "agent-email": text,
        quote: { type: "string", multiple: true },
        source: text,
        "expires-days": text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`);
  }
}

function forPeople({ reference, link, expiresAt }: IssuedLink, isOneOfMany: boolean): string {
  const until = expiresAt.slice(0, 10);
  if (isOneOfMany) return `${reference}  until ${until}  ${link}`;
  return `Reference    ${reference}\nLink         ${link}\nValid until  ${until}`;
}

command(async () => {
  const { json, help, csv, ...invitation } = flags();
  if (help) return console.log(usage);
  if (csv !== undefined && Object.keys(invitation).length > 0)
    throw new UsageError("With --csv, everything stands in the file.");
  const invitations = csv === undefined ? [readInvitation(invitation)] : readInvitations(csv);
  for (const issued of await withDatabase(() => createInvitations(invitations))) {
    console.log(json ? JSON.stringify(issued) : forPeople(issued, csv !== undefined));
  }
});
