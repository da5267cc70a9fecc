import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import config from "@/next.config.mjs";

const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
  devDependencies: Record<string, string>;
};

test("the type check of a build reads no package that npm ci --omit=dev leaves out", () => {
  const project = config.typescript?.tsconfigPath ?? "tsconfig.json";
  const files = execFileSync("node_modules/.bin/tsc", ["--project", project, "--listFilesOnly"], { encoding: "utf8" });
  expect(files).toContain("/app/layout.tsx");
  const packages = new Set([...files.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name = ""]) => name));
  expect(packages.size).toBeGreaterThan(10);
  expect([...packages].filter((name) => name in devDependencies)).toEqual([]);
});
