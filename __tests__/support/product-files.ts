import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Every TypeScript file under the given folders of the project, as paths from its root. */
export function productFiles(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}
