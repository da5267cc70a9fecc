import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Broken } from "./expect";

/** Mounts a file system in memory that can be filled to the last byte. */
export function smallDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), "disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    const reason = (error as { stderr?: Buffer }).stderr?.toString().trim() || (error as Error).message;
    throw new Broken(`A disk cannot be mounted (${reason}): run this as root on Linux, where mounting is allowed.`);
  }
  chmodSync(folder, 0o755);
  const ballast = join(folder, "ballast");
  const disk = {
    folder,
    fill() {
      const file = openSync(ballast, "a");
      try {
        for (const bytes = Buffer.alloc(1_000_000); ; ) writeSync(file, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      process.off("exit", disk.remove);
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  process.once("exit", disk.remove);
  return disk;
}
