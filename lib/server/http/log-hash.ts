import "server-only";
import { createHmac } from "node:crypto";
import { networkOf } from "./client-address";

/**
 * Stands for an address in the log, so that refusals of one client can be told from those of another without its address.
 * Keyed, since all IPv4 addresses are hashed in minutes; with the database's URL and its password, since every process of
 * a deployment has it, through every restart, and who reads the logs has not.
 */
export function hashForLog(address: string): string {
  const key = `addresses in the log\n${process.env.DATABASE_URL ?? ""}`;
  return createHmac("sha256", key).update(networkOf(address)).digest("base64url").slice(0, 16);
}
