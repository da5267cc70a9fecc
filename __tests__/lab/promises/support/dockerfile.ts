import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { expect } from "./expect";

export interface Image {
  /** A temporary folder in place of the root of the image's file system. The caller removes it. */
  root: string;
  folder: string;
  env: Record<string, string>;
  user: string;
  command: string[];
}

/** Docker's build context: every file that git does not ignore. */
function context(): string[] {
  const listed = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", listed, { encoding: "utf8" }).trim().split("\n");
  return files.filter((file) => existsSync(file));
}

/** Runs the steps of a Dockerfile in a temporary folder, with this machine's Node. */
export function follow(dockerfile: string): Image {
  const root = mkdtempSync(join(tmpdir(), "image-"));
  chmodSync(root, 0o755);
  const image: Image = { root, folder: root, env: {}, user: "root", command: [] };
  for (const line of readFileSync(dockerfile, "utf8").split("\n")) if (!/^(#|$)/.test(line)) step(image, line);
  return image;
}

function step(image: Image, line: string): void {
  const [instruction = "", ...words] = line.split(" ");
  const rest = words.join(" ");
  if (instruction === "WORKDIR") {
    image.folder = join(image.root, rest);
    mkdirSync(image.folder, { recursive: true });
  } else if (instruction === "ENV") Object.assign(image.env, parseEnv(rest));
  else if (instruction === "COPY") copy(words, image.folder);
  else if (instruction === "RUN") run(rest, image);
  else if (instruction === "USER") image.user = rest;
  else if (instruction === "CMD") image.command = JSON.parse(rest);
  else expect(/^(FROM|EXPOSE|ARG)$/.test(instruction), `a step that is not known here: ${line}`);
}

function run(line: string, { folder, env }: Image): void {
  const runEnv = { ...process.env, npm_config_prefer_offline: "true", ...env };
  const { status, stdout, stderr } = spawnSync(line, { cwd: folder, env: runEnv, shell: true, encoding: "utf8" });
  expect(status === 0, `RUN ${line} ended with ${status}: ${(stdout + stderr).slice(-1000)}`);
}

function copy(paths: string[], folder: string): void {
  const target = paths.at(-1) ?? "";
  const isFolder = target.endsWith("/") || target === ".";
  for (const source of paths.slice(0, -1))
    for (const file of context().filter((path) => source === "." || path === source || path.startsWith(`${source}/`))) {
      const to = join(folder, target, isFolder ? file : file.slice(source.length));
      mkdirSync(dirname(to), { recursive: true });
      cpSync(file, to);
    }
}
