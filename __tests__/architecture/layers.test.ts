import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { productFiles } from "@/__tests__/support/product-files";

const rules = ["lib", "lib/domain", "lib/schemas"];
const outbox = ["lib/server", "lib/server/db", "lib/server/outbox"];
const site = ["lib", "lib/domain", "lib/client", "components/ui", "components/site"];
const screen = [...site, "components/session", "components/outcome"];
const commands = ["lib/cli/shared", "lib/domain", "lib/server", "lib/server/db", "lib/server/applications"];

/** What each folder may import, from the bottom: a folder may import only those named before it. `app` may import everything. */
const mayImport: Record<string, string[]> = {
  lib: [],
  "lib/domain": ["lib"],
  "lib/schemas": ["lib/domain"],
  "lib/client": ["lib/domain", "lib/schemas"],
  "components/ui": ["lib/domain"],
  "components/site": ["lib", "lib/domain", "lib/client", "components/ui"],
  "components/session": site,
  "components/outcome": [...site, "components/session"],
  "components/landing": screen,
  "components/application/saving": [...screen, "lib/schemas"],
  "components/application/fields": [...site, "lib/schemas", "components/application/saving"],
  "components/application/review": [...screen, "components/application/saving"],
  "components/application/steps": [
    ...screen,
    "lib/schemas",
    "components/application/saving",
    "components/application/fields",
    "components/application/review",
  ],
  "components/desk": [...site, "components/outcome"],
  "lib/embedded-postgres": [],
  "lib/server": ["lib", "lib/domain"],
  "lib/server/db": ["lib/domain", "lib/embedded-postgres", "lib/server"],
  "lib/server/outbox": [...rules, "lib/server", "lib/server/db"],
  "lib/server/evidence": ["lib/domain", ...outbox],
  "lib/server/links": outbox,
  "lib/server/http": [...rules, "lib/server", "lib/server/db", "lib/server/links"],
  "lib/server/applications": [...rules, ...outbox, "lib/server/evidence", "lib/server/links", "lib/server/http"],
  "lib/server/invitations": [...rules, ...outbox, "lib/server/links", "lib/server/http", "lib/server/applications"],
  "lib/server/figures": ["lib/domain", ...outbox],
  "lib/server/templates": [
    "lib",
    "lib/domain",
    ...outbox,
    "lib/server/evidence",
    "lib/server/applications",
    "lib/server/figures",
  ],
  "lib/server/channels": [...outbox, "lib/server/links", "lib/server/http"],
  "lib/server/channels/bounces": [...outbox, "lib/server/http", "lib/server/channels"],
  "lib/server/channels/email": [
    ...outbox,
    "lib/server/templates",
    "lib/server/channels",
    "lib/server/channels/bounces",
  ],
  "lib/server/channels/sms": ["lib/domain", ...outbox, "lib/server/links", "lib/server/http", "lib/server/channels"],
  "lib/server/channels/webhooks": [...outbox, "lib/server/evidence", "lib/server/channels"],
  "lib/server/delivery": [
    "lib/domain",
    ...outbox,
    "lib/server/evidence",
    "lib/server/links",
    "lib/server/http",
    "lib/server/figures",
    "lib/server/templates",
    "lib/server/channels/bounces",
    "lib/server/channels/email",
    "lib/server/channels/sms",
    "lib/server/channels/webhooks",
  ],
  "lib/server/studio": ["lib/domain", "lib/server", "lib/server/db", "lib/server/links"],
  "lib/server/desk": [
    "lib/domain",
    ...outbox,
    "lib/server/evidence",
    "lib/server/links",
    "lib/server/http",
    "lib/server/applications",
    "lib/server/invitations",
    "lib/server/figures",
    "lib/server/templates",
    "lib/server/delivery",
    "lib/server/studio",
  ],
  "lib/server/process": [
    "lib/server",
    "lib/server/db",
    "lib/server/evidence",
    "lib/server/http",
    "lib/server/delivery",
  ],
  "lib/cli/shared": [
    ...rules,
    ...outbox,
    "lib/server/links",
    "lib/server/applications",
    "lib/server/invitations",
    "lib/server/templates",
    "lib/server/delivery",
  ],
  "lib/cli/applications": [
    ...commands,
    "lib/server/outbox",
    "lib/server/invitations",
    "lib/server/links",
    "lib/server/figures",
    "lib/server/templates",
    "lib/server/delivery",
  ],
  "lib/cli/database": [...commands, "lib/embedded-postgres", "lib/server/studio"],
  "lib/cli/evidence": [...commands, "lib/server/evidence"],
  "lib/cli/invitations": [...commands, "lib/server/invitations", "lib/server/links"],
  "lib/cli/messages": [
    ...commands,
    ...outbox,
    "lib/server/evidence",
    "lib/server/links",
    "lib/server/http",
    "lib/server/invitations",
    "lib/server/figures",
    "lib/server/templates",
    "lib/server/channels/bounces",
    "lib/server/channels/webhooks",
    "lib/server/delivery",
  ],
  "lib/development": [
    ...rules,
    "lib/server",
    "lib/server/db",
    "lib/server/outbox",
    "lib/server/evidence",
    "lib/server/links",
    "lib/server/applications",
    "lib/server/invitations",
    "lib/server/templates",
    "lib/cli/shared",
  ],
};
const folders = Object.keys(mayImport);

/** The folders that a file imports from, except generated ones. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import|require)\s*\(?\s*"(@|\.)\/([^"]+)"/g);
  const folders = [...imports].map(([, root, path = ""]) => dirname(root === "@" ? path : join(dirname(file), path)));
  return [...new Set(folders)].filter((folder) => folder !== "prisma/generated");
}

test.each(folders)("%s imports only folders below it", (folder) => {
  expect(folders.slice(0, folders.indexOf(folder))).toEqual(expect.arrayContaining(mayImport[folder] ?? []));
});

test.each(productFiles("components", "lib"))("%s imports only what its folder may", (file) => {
  expect(folders).toContain(dirname(file));
  expect([...(mayImport[dirname(file)] ?? []), dirname(file)]).toEqual(expect.arrayContaining(importsOf(file)));
});

test("each folder of the table exists", () => {
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([]);
});
