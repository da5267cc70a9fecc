import { join } from "node:path";
import { command } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { filesIn, isListening, readLock, stopIfUnused, stopPostgres } from "@/lib/embedded-postgres/cluster";

const usage = `Shows or stops the embedded Postgres. Commands start it when they need it.

  bin/rent postgres status
  bin/rent postgres stop`;

const flags = {
  "if-unused": { type: "boolean", for: ["stop"], help: "only if no process of the app uses it" },
  folder: { type: "string", value: "FOLDER", isPath: true, help: "the folder with its data; .data by default" },
} as const satisfies Flags;

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const [action, ...rest] = words;
  if ((action !== "stop" && action !== "status") || rest.length > 0) throw new UsageError("Choose stop or status.");
  const files = filesIn(values.folder ?? join(process.cwd(), ".data"));
  const port = readLock(files)?.port;
  // After a crash, the process id in the lock file may belong to another process by now. pg_ctl would stop that one.
  if (!port || !(await isListening(port))) return console.log("Postgres is not running.");
  if (action === "status") return console.log(`Postgres is running on port ${port}.`);
  if (values["if-unused"] && !(await stopIfUnused(files))) return console.log("Postgres is still in use.");
  if (!values["if-unused"]) await stopPostgres(files);
  console.log("Postgres has stopped.");
});
