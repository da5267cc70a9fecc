import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The layers of the architecture are lint rules (biome.json). Each entry is a file that breaks or keeps a rule. All files are
 * written to a temporary folder and linted in one run.
 */
const forbidden: [file: string, source: string][] = [
  ["lib/domain/a.ts", 'import "@/lib/schemas/steps";'],
  ["lib/domain/b.ts", 'import "@/lib/domain/money";'],
  ["lib/domain/c.ts", 'import "react";'],
  ["lib/domain/d.ts", 'import "node:fs";'],
  ["lib/domain/e.ts", 'import "zod/mini";'],
  ["lib/schemas/a.ts", 'import "@/lib/client/api";'],
  ["lib/schemas/b.ts", 'import "@/lib/server/settings";'],
  ["lib/schemas/c.ts", 'import "zod";'],
  ["lib/schemas/d.ts", 'import "zod/v4/core";'],
  ["lib/client/a.ts", 'import "@/lib/server/settings";'],
  ["lib/client/b.ts", 'import "@/components/ui/button";'],
  ["lib/client/c.ts", 'import "zod";'],
  ["lib/server/a.ts", 'import "@/lib/client/api";'],
  ["lib/server/b.ts", 'import "@/components/ui/button";'],
  ["lib/server/c.ts", 'import "@/lib/cli/invite";'],
  ["lib/server/db/a.ts", 'import "@/lib/server/links/token";'],
  ["lib/server/db/b.ts", 'import "@/lib/server/http/call-error";'],
  ["lib/server/db/c.ts", 'import "@/lib/server/messages/outbox/kinds";'],
  ["lib/server/messages/outbox/a.ts", 'import "@/lib/server/links/token";'],
  ["lib/server/messages/outbox/b.ts", 'import "@/lib/server/messages/outcome";'],
  ["lib/server/applications/b.ts", 'import "@/lib/server/messages/outcome";'],
  ["lib/server/links/a.ts", 'import "@/lib/server/applications/to-view";'],
  ["lib/server/links/b.ts", 'import "@/lib/server/http/call-error";'],
  ["lib/server/links/c.ts", 'import "@/lib/server/invitations/invitation";'],
  ["lib/server/http/a.ts", 'import "@/lib/server/applications/to-view";'],
  ["lib/server/http/b.ts", 'import "@/lib/server/invitations/links";'],
  ["lib/server/http/c.ts", 'import "@/lib/server/prepare-server";'],
  ["lib/server/applications/a.ts", 'import "@/lib/server/invitations/links";'],
  ["lib/server/invitations/a.ts", 'import "@/lib/client/api";'],
  ["lib/cli/a.ts", 'import "@/components/ui/button";'],
  ["lib/cli/b.ts", 'import "@/app/page";'],
  ["components/ui/a.ts", 'import "@/lib/client/api";'],
  ["components/ui/b.ts", 'import "@/lib/domain/advance";'],
  ["components/ui/c.ts", 'import "@/components/site/header";'],
  ["components/site/a.ts", 'import "@/lib/server/settings";'],
  ["components/site/b.ts", 'import "@/app/page";'],
  ["components/site/c.ts", 'import "formik";'],
  ["components/site/d.ts", 'import "server-only";'],
  ["components/site/f.ts", 'import "@/components/session/gate";'],
  ["components/session/a.ts", 'import "@/components/landing/landing";'],
  ["components/session/b.ts", 'import "@/components/outcome/went-wrong";'],
  ["components/outcome/a.ts", 'import "@/components/review/receipt-screen";'],
  ["components/landing/a.ts", 'import "@/components/form/use-form";'],
  ["components/review/a.ts", 'import "@/components/form/use-form";'],
  ["components/review/b.ts", 'import "@/components/steps/review-step";'],
  ["components/form/a.ts", 'import "zod/v4/core";'],
  ["components/form/b.ts", 'import "@/prisma/generated/client";'],
  ["components/form/c.ts", 'import "@/components/review/consent-block";'],
  ["components/form/d.ts", 'import "@/components/steps/review-step";'],
  ["components/steps/a.ts", 'import "formik";'],
  ["components/steps/b.ts", 'import "@/components/landing/landing";'],
  ["components/steps/c.ts", 'import "@/lib/server/settings";'],
  ["app/a.ts", 'import "pg";'],
  ["app/b.ts", 'import "@prisma/client";'],
  ["app/c.ts", 'import "@/prisma/generated/client";'],
  ["app/d.ts", 'import "zod";'],
  ["app/e.ts", 'import "formik";'],
  ["app/f.ts", 'import "@/lib/cli/invite";'],
  ["app/g.ts", 'import "@/__tests__/support/invited";'],
  ["app/h.ts", 'import "../lib/brand";'],
  ["app/i.ts", 'import "./home/../landing/page";'],
  ["app/j.ts", 'export const lazy = () => import("@/lib/cli/invite");'],
  ["app/k.ts", 'export const token = localStorage.getItem("auth_token");'],
  ["components/site/e.ts", 'export const token = sessionStorage.getItem("auth_token");'],
  ["proxy.ts", 'import "@/prisma/generated/client";'],
  ["__tests__/api/a.ts", 'import "../support/invited";'],
];

const allowed: [file: string, source: string][] = [
  ["lib/domain/k.ts", 'import "@/lib/brand";\nimport "./money";'],
  ["lib/schemas/k.ts", 'import "zod/mini";\nimport "@/lib/domain/money";\nimport "./kinds";'],
  ["lib/client/k.ts", 'import "@/lib/schemas/steps";\nexport const token = localStorage.getItem("auth_token");'],
  [
    "lib/server/k.ts",
    'import "pg";\nimport "zod";\nimport "@/lib/schemas/steps";\nimport "@/prisma/generated/client";',
  ],
  ["lib/cli/k.ts", 'import "pg";\nimport "zod";\nimport "@/lib/server/settings";'],
  ["components/ui/k.ts", 'import "react";\nimport "@/components/ui/spinner";\nimport "@/lib/domain/phone";'],
  [
    "components/site/k.ts",
    'import "@/components/ui/button";\nimport "@/lib/client/api";\nimport "@/lib/domain/advance";',
  ],
  ["components/form/k.ts", 'import "formik";\nimport "zod-formik-adapter";\nimport "@/lib/schemas/steps";'],
  ["components/review/k.ts", 'import "@/components/outcome/reference-card";\nimport "@/components/session/gate";'],
  ["components/steps/k.ts", 'import "@/components/form/use-form";\nimport "@/components/review/consent-block";'],
  ["lib/server/http/k.ts", 'import "@/lib/server/links/token";\nimport "@/lib/server/db/client";'],
  ["lib/server/applications/k.ts", 'import "@/lib/server/http/call-error";\nimport "@/lib/server/settings";'],
  ["lib/server/invitations/k.ts", 'import "@/lib/server/applications/to-view";'],
  ["app/z.ts", 'import "@/components/ui/button";\nimport "@/lib/server/settings";'],
];

const layerRules = new Set(["lint/style/noRestrictedImports", "lint/style/noRestrictedGlobals"]);
let stopped: Set<string>;

beforeAll(() => {
  const project = mkdtempSync(join(tmpdir(), "layers-"));
  for (const [file, source] of [...forbidden, ...allowed]) {
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

/** Biome exits with 1 if it finds anything, which is expected here. */
function lint(folder: string): Report {
  const biome = join(process.cwd(), "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "."];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" }));
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout);
  }
}

test.each(forbidden)("%s may not say %s", (file) => {
  expect(stopped).toContain(file);
});

test.each(allowed)("%s may say %s", (file) => {
  expect(stopped).not.toContain(file);
});
