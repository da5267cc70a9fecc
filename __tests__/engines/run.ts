import { existsSync } from "node:fs";
import startProduct from "@/__tests__/support/start-product";
import { Browser } from "./browser";
import type { Engine } from "./engine";
import { firefox } from "./firefox";
import { journeys } from "./journeys";
import { webkit } from "./webkit";

async function walkIn(engine: Engine, words: string): Promise<number> {
  let failed = 0;
  for (const [name, walk] of Object.entries(journeys).filter(([name]) => name.includes(words))) {
    const session = await engine.start();
    const error = await walk(new Browser(session)).then(
      () => null,
      (thrown: Error) => thrown,
    );
    await session.end();
    console.log(`${error ? "✘" : "✓"} ${engine.name}: ${name}${error ? `\n  ${error.message}` : ""}`);
    if (error) failed += 1;
  }
  return failed;
}

/** The journeys of every outcome in the engines that are installed, each in a browser of its own. */
async function main(words: string): Promise<void> {
  const stop = await startProduct();
  let failed = 0;
  try {
    for (const engine of [webkit, firefox]) {
      const missing = engine.files.filter((file) => !existsSync(file));
      if (missing.length === 0) failed += await walkIn(engine, words);
      else console.log(`${engine.name} is not installed: ${missing.join(", ")} (see docs/contributing.md)`);
    }
  } finally {
    await stop();
  }
  process.exit(failed === 0 ? 0 : 1);
}

main(process.argv.slice(2).join(" ")).catch((error: Error) => {
  console.error(error.stack);
  process.exit(1);
});
