import "server-only";
import { Client } from "pg";
import { isLoopback } from "@/lib/server/this-machine.mjs";

/** libpq's own modes but the two that fall back to no encryption at all, which the driver cannot; the driver's no-verify. */
const sslModes = ["disable", "require", "verify-ca", "verify-full", "no-verify"];
const switches = ["true", "1", "0", "no-verify"];

/**
 * The URL with libpq's meaning of sslmode, as psql and every manual has it: `require` encrypts and checks no certificate,
 * `verify-full` checks it. The driver's own would be verify-full for both.
 */
export function driverUrl(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get("sslmode");
  if (mode === null || mode === "no-verify" || parsed.searchParams.has("uselibpqcompat")) return url;
  parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.href;
}

/** Names what would be misread, or ignored. */
export function wrongIn(url: string): string | undefined {
  const { searchParams } = new URL(url);
  const mode = searchParams.get("sslmode");
  if (mode !== null && !sslModes.includes(mode)) return `sslmode is not one of ${sslModes.join(", ")}`;
  const ssl = searchParams.get("ssl");
  if (ssl !== null && !switches.includes(ssl)) return `ssl is not one of ${switches.join(", ")}: use sslmode`;
  const schema = searchParams.get("schema");
  if (schema !== null && schema !== "public")
    return "schema is not read from a URL: ALTER ROLE … IN DATABASE … SET search_path gives the user its schema";
  if (mode === "verify-ca" && !searchParams.has("sslrootcert"))
    return "sslmode=verify-ca needs sslrootcert, the file of the authority's certificate";
  return unreadable(url);
}

/** The driver reads the files of certificates when it gets a URL, before it connects. */
function unreadable(url: string): string | undefined {
  try {
    new Client({ connectionString: driverUrl(url) });
  } catch (error) {
    const { path, message } = error as NodeJS.ErrnoException;
    return path ? `the file ${path} cannot be read` : message;
  }
}

/** Where it leads and as whom, for people: without the password. */
export function addressOf(url: string): { database: string; user: string } {
  const { host, port, database, user } = new Client({ connectionString: driverUrl(url) });
  return { database: `${host}:${port}/${database}`, user: user ?? "" };
}

/** Whether it leads to this machine: by a loopback address or a socket. */
export function isOnThisMachine(url: string): boolean {
  const { host } = new Client({ connectionString: driverUrl(url) });
  return host.startsWith("/") || isLoopback(host);
}
