import { parseArgs } from "node:util";
import { type SettableStatus, setStatus, settableStatuses } from "@/lib/server/applications/set-status";
import { acting, byOption } from "./acting";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = `  npm run status -- REFERENCE ${settableStatuses.join(" | ")} [--by NAME]`;

function isSettable(status: string | undefined): status is SettableStatus {
  return settableStatuses.some((one) => one === status);
}

function call() {
  try {
    const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options: byOption });
    const [reference, status, ...rest] = positionals;
    if (reference && isSettable(status) && rest.length === 0) return { reference, status, by: acting(values.by) };
  } catch {
    // The usage says it all.
  }
  throw new UsageError(usage);
}

command(async () => {
  const { reference, status, by } = call();
  console.log(`${await withDatabase(() => setStatus(reference, status, by))} is now ${status}.`);
});
