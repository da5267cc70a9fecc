import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { filesIn } from "@/lib/embedded-postgres/cluster";
import { countUsers, readPostmaster, stopIfUnused, stopPostgres } from "@/lib/embedded-postgres/pg-ctl";
import { command, UsageError } from "./command";

const usage = `Shows or stops the embedded Postgres. Every command starts it when it needs it.

  npm run postgres -- status
  npm run postgres -- stop [--if-unused]
      --if-unused: only if nobody is connected
  [--folder .data]: where its data lie`;

const options = {
  folder: { type: "string", default: join(process.cwd(), ".data") },
  "if-unused": { type: "boolean", default: false },
} as const;

command(async () => {
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options });
  const [action, ...rest] = positionals;
  if ((action !== "stop" && action !== "status") || rest.length > 0) throw new UsageError("Choose stop or status.");
  const files = filesIn(values.folder);
  const postmaster = readPostmaster(files);
  if (!postmaster) return console.log("It is not running.");
  if (action === "stop" && values["if-unused"]) {
    // Connections of processes that have just ended are closed in a moment.
    for (let looks = 0; looks < 6; looks += 1) {
      if (await stopIfUnused(files)) return console.log("It has stopped.");
      await sleep(500);
    }
    return console.log("It is in use, and goes on running.");
  }
  if (action === "stop") await stopPostgres(files).then(() => console.log("It has stopped."));
  else console.log(`It is running on port ${postmaster.port}, with ${await countUsers(files)} connections.`);
}, usage);
