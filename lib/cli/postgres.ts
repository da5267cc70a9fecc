import { join } from "node:path";
import { filesIn, isListening, readLock, stopIfUnused, stopPostgres } from "@/lib/embedded-postgres/cluster";
import { command, parseArguments, UsageError } from "./command";

const usage = `Shows or stops the embedded Postgres. Commands start it when they need it.

  npm run postgres -- status
  npm run postgres -- stop [--if-unused]
      --if-unused: only if no process of the app uses it
  [--folder .data]: the folder with its data`;

const options = {
  folder: { type: "string", default: join(process.cwd(), ".data") },
  "if-unused": { type: "boolean", default: false },
} as const;

export default command(module, usage, async (args) => {
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [action, ...rest] = positionals;
  if ((action !== "stop" && action !== "status") || rest.length > 0) throw new UsageError("Choose stop or status.");
  const files = filesIn(values.folder);
  const port = readLock(files)?.port;
  // After a crash, the process id in the lock file may belong to another process by now. pg_ctl would stop that one.
  if (!port || !(await isListening(port))) return console.log("Postgres is not running.");
  if (action === "status") return console.log(`Postgres is running on port ${port}.`);
  if (values["if-unused"] && !(await stopIfUnused(files))) return console.log("Postgres is still in use.");
  if (!values["if-unused"]) await stopPostgres(files);
  console.log("Postgres has stopped.");
});
