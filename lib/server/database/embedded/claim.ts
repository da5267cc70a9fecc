import "server-only";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Files } from "./files";
import { type Card, reachKeeper } from "./lifeline";

/** Puts up a keeper's card, unless a keeper that answers has put up its own. */
export async function claim(files: Files, card: Card): Promise<boolean> {
  const draft = `${files.card}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(card), { mode: 0o600 });
  try {
    while (!linked(draft, files.card)) {
      const other = await reachKeeper(files);
      other?.socket.destroy();
      if (other) return false;
      // Left by a keeper that was killed. Should two keepers clear it at once, the one whose card goes with it finds
      // out (isClaimed) and leaves; Postgres itself sees to it that only one ever runs on the data.
      rmSync(files.card, { force: true });
    }
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Linking, unlike writing, is one step, and fails where the name is taken. */
function linked(draft: string, name: string): boolean {
  try {
    linkSync(draft, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export function isClaimed(files: Files, card: Card): boolean {
  try {
    return readFileSync(files.card, "utf8") === JSON.stringify(card);
  } catch {
    return false;
  }
}

export function giveUp(files: Files, card: Card): void {
  if (isClaimed(files, card)) rmSync(files.card, { force: true });
}
