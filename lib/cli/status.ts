import { type SettableStatus, setStatus, settableStatuses } from "@/lib/server/applications/set-status";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = `  npm run status -- REFERENCE ${settableStatuses.join(" | ")}`;

function isSettable(status: string | undefined): status is SettableStatus {
  return settableStatuses.some((one) => one === status);
}

command(async () => {
  const [reference, status, ...rest] = process.argv.slice(2);
  if (!reference || !isSettable(status) || rest.length > 0) throw new UsageError(usage);
  console.log(`${await withDatabase(() => setStatus(reference, status))} is now ${status}.`);
});
