import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { productFiles } from "@/__tests__/support/product-files";

const firstLine = (file: string) => readFileSync(file, "utf8").split("\n", 1)[0];

test.each(productFiles("lib/server"))("%s says first that it is for the server only", (file) => {
  expect(firstLine(file)).toBe('import "server-only";');
});

test.each(productFiles("app", "components", "lib"))("%s imports its neighbours as './…'", (file) => {
  const imported = [...readFileSync(file, "utf8").matchAll(/from "@\/([^"]+)"/g)].map(([, path]) =>
    dirname(path ?? ""),
  );
  expect(imported).not.toContain(dirname(file));
});

test.each(productFiles("lib/cli"))(
  "%s loads nothing of ours by import(): the commands' loader finds no '@/' there",
  (file) => {
    expect(readFileSync(file, "utf8")).not.toMatch(/await import\("@\//);
  },
);
