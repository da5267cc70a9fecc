import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect } from "./support/expect";
import type { Promised } from "./support/world";

const inEveryEngine: Promised = {
  number: 56,
  async prove() {
    // On a database of their own.
    const { DATABASE_URL: _, ...env } = process.env;
    const walk = spawn(
      process.execPath,
      ["--conditions=react-server", "--require", "tsx/cjs", "__tests__/engines/run.ts"],
      { env, stdio: ["ignore", "pipe", "inherit"] },
    );
    const [said, [code]] = await Promise.all([text(walk.stdout), once(walk, "close")]);
    expect(code === 0, said.match(/^(✘.*|\s.*)$/gm)?.join("\n") || `the journeys ended with ${code}`);
    return said.trim().split("\n").at(-1) ?? "";
  },
};

export const engines = [inEveryEngine];
