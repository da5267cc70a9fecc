import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

// Generates the Prisma client, unless it matches the schema and the version of Prisma already: `npm ci`, the build and the
// demo each run this.
const prisma = createRequire(import.meta.url)("prisma/package.json");

/** Kept beside the client: Prisma reformats the schema that it writes into it. */
const note = "prisma/generated/schema-hash.txt";
const source = createHash("sha256").update(readFileSync("prisma/schema.prisma")).update(prisma.version).digest("hex");

if (!existsSync(note) || readFileSync(note, "utf8") !== source) {
  const { status } = spawnSync(process.execPath, ["node_modules/prisma/build/index.js", "generate", "--no-hints"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      // Any existing file works. Without one, Prisma downloads an engine.
      PRISMA_SCHEMA_ENGINE_BINARY: "package.json",
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
  });
  process.exitCode = status ?? 1;
  if (status === 0) writeFileSync(note, source);
}
