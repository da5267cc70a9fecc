import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { actorName, byOption } from "@/lib/cli/shared/options";
import { requireFreePort, untilSignalled } from "@/lib/cli/shared/processes";
import { recordRun } from "@/lib/server/applications/record-run";
import { readersUrl } from "@/lib/server/studio/studio";
import { serveStudio } from "@/lib/server/studio/studio-server";

const usage = `Starts Prisma Studio on the app's database, with read-only access, and prints its address.
Each start is recorded.

  bin/rent studio`;

const flags = {
  port: { type: "string", value: "5555", help: "the port on 127.0.0.1" },
  ...byOption,
} as const satisfies Flags;

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
