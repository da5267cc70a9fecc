import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// Generates the database's client, unless it is that of this schema and this Prisma already: `npm ci`, the build and the
// demo each ask for it.
const prisma = createRequire(import.meta.url)("prisma/package.json");

/** Prisma writes both into the client. */
function isCurrent() {
  try {
    const client = readFileSync("prisma/generated/internal/class.ts", "utf8");
    const schema = JSON.stringify(readFileSync("prisma/schema.prisma", "utf8"));
    return client.includes(`"inlineSchema": ${schema}`) && client.includes(`"clientVersion": "${prisma.version}"`);
  } catch {
    return false;
  }
}

if (!isCurrent()) {
  const { status } = spawnSync(process.execPath, ["node_modules/prisma/build/index.js", "generate", "--no-hints"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      // Any file: else it would look for an engine, and download it.
      PRISMA_SCHEMA_ENGINE_BINARY: "package.json",
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
  });
  process.exitCode = status ?? 1;
}
