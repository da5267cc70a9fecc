import { spawn } from "node:child_process";
import { once } from "node:events";
import { databaseCommand } from "@/lib/cli/command";
import { operationsUrl } from "@/lib/server/database/operations-url";

/** Prisma Studio on the very database the app uses, with the rights of operations: to read, all but token hashes. */
databaseCommand(async () => {
  const url = await operationsUrl(process.env.DATABASE_URL ?? "");
  const studio = spawn(
    process.execPath,
    ["node_modules/prisma/build/index.js", "studio", "--url", url, ...process.argv.slice(2)],
    {
      stdio: "inherit",
      env: { ...process.env, CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1", DATABASE_URL: url },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => studio.kill(signal));
  await once(studio, "exit");
});
