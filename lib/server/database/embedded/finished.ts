import "server-only";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Waits for a program to end well; throws with what it said on standard error where it did not. */
export async function finished(child: ChildProcess, failure = ""): Promise<void> {
  let complaint = "";
  child.stderr?.on("data", (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${failure}${complaint.trim()}`);
}
