import { type CreatedRole, createRoles, readerUrl, roleKinds, rolesScript } from "@/lib/server/db/roles";
import { currentSettings } from "@/lib/server/settings";
import { command, parseArguments, withDatabase } from "./command";

const usage = `Creates the database users of the app, operations and Studio, and sets their privileges.

  npm run roles                       creates those that are missing, as the owner of the database
  npm run --silent roles -- --sql     prints the SQL for a database administrator to run instead`;

function describeRole({ kind, name, url }: CreatedRole, made: CreatedRole[]): string {
  if (kind === "app") return `Created ${name}. Shown once:\n  DATABASE_URL=${url}`;
  if (kind === "operations") return `Created ${name}. Shown once:\n  OPERATIONS_DATABASE_URL=${url}`;
  const operations = made.find((role) => role.kind === "operations")?.url ?? currentSettings().OPERATIONS_DATABASE_URL;
  return operations && readerUrl(operations) === url
    ? `Created ${name}, which 'npm run studio' uses. Its URL is derived from that of operations.`
    : `Created ${name}. Shown once, for 'npm run studio' alone:\n  OPERATIONS_DATABASE_URL=${url}`;
}

export default command(module, usage, async (args) => {
  const { sql: isScript } = parseArguments({ args, options: { sql: { type: "boolean" } } }).values;
  await withDatabase(async (url) => {
    if (isScript) return console.log(await rolesScript(url));
    const made = await createRoles(url, currentSettings().OPERATIONS_DATABASE_URL);
    for (const role of made) console.log(describeRole(role, made));
    if (made.length < roleKinds.length) console.log("Existing roles keep their passwords.");
    console.log("All roles have their privileges.");
  }, "owner");
});
