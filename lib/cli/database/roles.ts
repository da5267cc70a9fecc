import { command, withDatabase } from "@/lib/cli/shared/command";
import type { Flags } from "@/lib/cli/shared/flags";
import { type CreatedRole, createRoles, readerUrl, roleKinds, rolesScript } from "@/lib/server/db/roles";
import { currentSettings } from "@/lib/server/settings";

const usage = `Creates the database users of the app, operations and Studio, and sets their privileges.

  bin/rent roles    creates those that are missing, as the owner of the database`;

const flags = {
  sql: { type: "boolean", help: "prints the SQL for a database administrator to run instead" },
} as const satisfies Flags;

function describeRole({ kind, name, url }: CreatedRole, made: CreatedRole[]): string {
  if (kind === "app") return `Created ${name}. Shown once:\n  DATABASE_URL=${url}`;
  if (kind === "operations") return `Created ${name}. Shown once:\n  OPERATIONS_DATABASE_URL=${url}`;
  const operations = made.find((role) => role.kind === "operations")?.url ?? currentSettings().OPERATIONS_DATABASE_URL;
  return operations && readerUrl(operations) === url
    ? `Created ${name}, which 'npm run studio' uses. Its URL is derived from that of operations.`
    : `Created ${name}. Shown once, for 'npm run studio' alone:\n  OPERATIONS_DATABASE_URL=${url}`;
}

export default command(module, { usage, flags }, async ({ values: { sql: isScript } }) => {
  await withDatabase(async (url) => {
    if (isScript) return console.log(await rolesScript(url));
    const made = await createRoles(url, currentSettings().OPERATIONS_DATABASE_URL);
    for (const role of made) console.log(describeRole(role, made));
    if (made.length < roleKinds.length) console.log("Existing roles keep their passwords.");
    console.log("All roles have their privileges.");
  }, "owner");
});
