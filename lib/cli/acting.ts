import { userInfo } from "node:os";

/** For parseArgs of every command that changes something. */
export const byOption = { by: { type: "string" } } as const;

/** Who did it, for the event: `--by NAME`, else the login name of the system; empty where the system knows none. */
export function acting(by: string | undefined): string {
  if (by?.trim()) return by.trim();
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
