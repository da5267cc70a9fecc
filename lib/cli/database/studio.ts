import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { actorName, byOption } from "@/lib/cli/shared/options";
import { requireFreePort, untilSignalled } from "@/lib/cli/shared/processes";
import { recordRun } from "@/lib/server/applications/record-run";
import { withConnection } from "@/lib/server/db/connection";
import { codeOf } from "@/lib/server/db/errors";
import { readerUrl } from "@/lib/server/db/roles";
import { excessPrivileges } from "@/lib/server/db/system-queries";
import { serveStudio } from "@/lib/server/studio/studio-server";

const usage = `Starts Prisma Studio on the app's database, with read-only access, and prints its address.
Each start is recorded.

  bin/rent studio`;

const flags = {
  port: { type: "string", value: "5555", help: "the port on 127.0.0.1" },
  ...byOption,
} as const satisfies Flags;

/**
 * Studio executes any SQL that its page sends, so the privileges of its database role must keep it read-only. It therefore
 * connects as the reader instead of operations. The reader's password does not reveal that of operations.
 */
async function readersUrl(databaseUrl: string): Promise<string> {
  const url = readerUrl(databaseUrl) ?? databaseUrl;
  const reasons = await withConnection(url, (client) => excessPrivileges(client, "reader")).catch((error) => {
    // SQLSTATE class 28: the reader does not exist, or an administrator gave it a different password.
    if (url === databaseUrl || !codeOf(error)?.startsWith("28")) throw error;
    throw new Error(
      `${new URL(url).username} cannot log in. Run 'npm run roles' if it does not exist. If it has another password, see 'Replace a secret' in docs/deploy/operate.md.`,
    );
  });
  if (reasons.length === 0) return url;
  throw new Error(
    `Studio refuses to run as a database user that may do more than read: this one ${reasons.join(", ")}. Set OPERATIONS_DATABASE_URL to the URL that 'npm run roles' printed, with its password.`,
  );
}

export default command(module, { usage, flags }, async ({ values }) => {
  const port = Number(values.port ?? "5555");
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new UsageError("--port must be a whole number from 1 to 65535.");
  await requireFreePort(port, "choose another, as in npm run studio -- --port 5556.");
  await withDatabase(async (databaseUrl) => {
    const url = await readersUrl(databaseUrl);
    await recordRun({ by: actorName(values.by), command: "studio" });
    const { address, server } = await serveStudio(port, url);
    console.log(`Prisma Studio is running; Ctrl-C stops it. Anyone with this address can read the data: ${address}`);
    await untilSignalled();
    server.close();
    server.closeAllConnections();
  });
});
