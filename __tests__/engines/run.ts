import { existsSync } from "node:fs";
import { cleanUpOnTermination } from "@/__tests__/support/processes/clean-up-on-termination";
import startProduct from "@/__tests__/support/start-product";
import { closeDatabase } from "@/lib/server/db/client";
import { Browser } from "./browser";
import { type Engine, engines, type Session } from "./drivers";
import { type Journey, journeys } from "./journeys";
import { openLine } from "./line";

const sessions = new Set<Session>();

/** Runs one journey with its own browser and line. Resolves with the error message, or null. */
async function walk(engine: Engine, journey: Journey): Promise<string | null> {
  const line = await openLine(process.env.APP_URL ?? "");
  const session = await engine.start();
  sessions.add(session);
  const browser = new Browser(session, line);
  try {
    await journey(browser);
    await browser.hasNoErrors();
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    sessions.delete(session);
    await session.end();
    line.close();
  }
}

async function walkIn(engine: Engine, words: string): Promise<string> {
  const missing = engine.files.filter((file) => !existsSync(file));
  if (missing.length > 0) {
    console.log(`${engine.name} is not installed: ${missing.join(", ")} (see docs/contributing.md)`);
    return `${engine.name} not installed`;
  }
  const chosen = Object.entries(journeys).filter(([name]) => name.includes(words));
  let passed = 0;
  for (const [name, journey] of chosen) {
    const error = await walk(engine, journey);
    console.log(`${error ? "✘" : "✓"} ${engine.name}: ${name}${error ? `\n  ${error}` : ""}`);
    if (error) process.exitCode = 1;
    else passed += 1;
  }
  return `${engine.name} ${passed} of ${chosen.length}`;
}

/** Runs the journeys of every outcome in the installed engines, in parallel. */
async function main(words: string): Promise<void> {
  const stopProduct = await startProduct();
  const stop = async () => {
    await Promise.all([...sessions].map((session) => session.end()));
    await closeDatabase();
    await stopProduct();
  };
  cleanUpOnTermination(stop);
  const walked = await Promise.all(engines.map((engine) => walkIn(engine, words))).finally(stop);
  const what = "the journeys of every outcome in other engines passed without an error in the console";
  console.log(`${what}: ${walked.join(", ")}`);
  process.exit();
}

main(process.argv.slice(2).join(" "));
