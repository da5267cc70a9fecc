import { parseArgs } from "node:util";
import { makeRoles, rolesScript } from "@/lib/server/database/roles/make-roles";
import { roleKinds } from "@/lib/server/database/roles/names";
import { command } from "./command";
import { withDatabase } from "./with-database";

const usage = `Makes the database users of app and operations, and sets their rights.

  npm run roles                       makes the roles of the app and of operations, as the owner of the database
  npm run --silent roles -- --sql     prints what a database administrator has to run instead`;

const settings = { app: "DATABASE_URL", operations: "OPERATIONS_DATABASE_URL" };

command(async () => {
  const { sql: isScript } = parseArgs({ strict: true, options: { sql: { type: "boolean" } } }).values;
  await withDatabase(async (url) => {
    if (isScript) return console.log(await rolesScript(url));
    const made = await makeRoles(url);
    for (const { kind, name, url: own } of made) console.log(`Made ${name}. Shown once:\n  ${settings[kind]}=${own}`);
    if (made.length < roleKinds.length) console.log("A role that was there keeps its password.");
    console.log("Every role may do what it should.");
  }, "owner");
}, usage);
