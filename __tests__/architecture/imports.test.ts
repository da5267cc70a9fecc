import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { productFiles } from "@/__tests__/support/product-files";

// The linter's layers keep lib/server out of the components. These two, which nearly all of it imports, also stop the build.
test.each(["lib/server/settings.ts", "lib/server/db/client.ts"])("%s begins by importing server-only", (file) => {
  expect(readFileSync(file, "utf8")).toMatch(/^import "server-only";\n/);
});

test.each(productFiles("app").filter((file) => readFileSync(file, "utf8").startsWith('"use client"')))(
  "%s, which runs in the browser, imports nothing of the server",
  (file) => {
    expect(readFileSync(file, "utf8")).not.toContain("@/lib/server/");
  },
);

test.each(productFiles("app", "components", "lib"))("%s imports its neighbours as './…'", (file) => {
  const imported = [...readFileSync(file, "utf8").matchAll(/from "@\/([^"]+)"/g)].map(([, path]) =>
    dirname(path ?? ""),
  );
  expect(imported).not.toContain(dirname(file));
});

test.each(productFiles("lib/cli"))(
  "%s does not import() paths with '@/', which the commands' loader cannot resolve",
  (file) => {
    expect(readFileSync(file, "utf8")).not.toMatch(/await import\("@\//);
  },
);
