import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

// The layers of the architecture are lint rules (biome.json). Each entry below becomes a file that breaks or keeps a rule. All
// files are written to a temporary folder and linted in one run.

/** For each folder, what a file in it may not import. */
const notFrom: Record<string, string[]> = {
  "lib/domain": ["@/lib/schemas/steps", "@/lib/domain/money", "react", "node:fs", "zod/mini"],
  "lib/schemas": ["@/lib/client/api", "@/lib/server/settings", "zod", "zod/v4/core"],
  "lib/client": ["@/lib/server/settings", "@/components/ui/button", "zod"],
  "lib/server": ["@/lib/client/api", "@/components/ui/button", "@/lib/cli/invite"],
  "lib/server/db": [
    "@/lib/server/links/token",
    "@/lib/server/http/call-error",
    "@/lib/server/messages/outbox/message-kinds",
  ],
  "lib/server/messages/outbox": ["@/lib/server/links/token", "@/lib/server/messages/outcome"],
  "lib/server/applications": ["@/lib/server/messages/outcome", "@/lib/server/invitations/links"],
  "lib/server/links": [
    "@/lib/server/applications/to-view",
    "@/lib/server/http/call-error",
    "@/lib/server/invitations/invitation",
  ],
  "lib/server/http": [
    "@/lib/server/applications/to-view",
    "@/lib/server/invitations/links",
    "@/lib/server/prepare-server",
  ],
  "lib/server/invitations": ["@/lib/client/api"],
  "lib/cli": ["@/components/ui/button", "@/app/page"],
  "components/ui": ["@/lib/client/api", "@/lib/domain/advance", "@/components/site/header"],
  "components/site": ["@/lib/server/settings", "@/app/page", "formik", "server-only", "@/components/session/gate"],
  "components/session": ["@/components/landing/landing", "@/components/outcome/something-went-wrong"],
  "components/outcome": ["@/components/review/receipt-screen"],
  "components/landing": ["@/components/form/use-form"],
  "components/review": ["@/components/form/use-form", "@/components/steps/review-step"],
  "components/form": [
    "zod/v4/core",
    "@/prisma/generated/client",
    "@/components/review/consent-block",
    "@/components/steps/review-step",
  ],
  "components/steps": ["formik", "@/components/landing/landing", "@/lib/server/settings"],
  app: [
    "pg",
    "@prisma/client",
    "@/prisma/generated/client",
    "zod",
    "formik",
    "@/lib/cli/invite",
    "@/__tests__/support/invited",
    "../lib/brand",
    "./home/../landing/page",
  ],
  "__tests__/api": ["../support/invited"],
};

const forbidden: [file: string, source: string][] = [
  ...Object.entries(notFrom).flatMap(([folder, paths]) =>
    paths.map((path, n): [string, string] => [`${folder}/forbidden-${n}.ts`, `import "${path}";`]),
  ),
  ["app/j.ts", 'export const lazy = () => import("@/lib/cli/invite");'],
  ["app/k.ts", 'export const token = localStorage.getItem("auth_token");'],
  ["components/site/e.ts", 'export const token = sessionStorage.getItem("auth_token");'],
  ["proxy.ts", 'import "@/prisma/generated/client";'],
];

const layerRules = new Set(["lint/style/noRestrictedImports", "lint/style/noRestrictedGlobals"]);
let stopped: Set<string>;

beforeAll(() => {
  const project = mkdtempSync(join(tmpdir(), "layers-"));
  for (const [file, source] of forbidden) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), `${source}\n`);
  }
  cpSync("biome.json", join(project, "biome.json"));
  const report = lint(project);
  rmSync(project, { recursive: true });
  stopped = new Set(
    report.diagnostics.filter(({ category }) => layerRules.has(category)).map(({ location }) => location.path),
  );
});

interface Report {
  diagnostics: { category: string; location: { path: string } }[];
}

function lint(folder: string): Report {
  const biome = join(process.cwd(), "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "."];
  return JSON.parse(spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout);
}

test.each(forbidden)("%s may not contain %s", (file) => {
  expect(stopped).toContain(file);
});
