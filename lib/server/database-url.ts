import { Client } from "pg";

/** libpq's modes without `allow` and `prefer`, whose fallback to plain text the driver lacks; and the driver's no-verify. */
const sslModes = ["disable", "require", "verify-ca", "verify-full", "no-verify"];
const switches = ["true", "1", "0", "no-verify"];

/**
 * The URL for the driver. It sets the session's time zone to UTC, because Prisma writes and reads times without a zone, and the
 * format of dates. It gives sslmode the meaning that it has in libpq and psql: `require` encrypts without checking the
 * certificate, `verify-full` checks it. By default the driver would treat both as `verify-full`.
 */
export function driverUrl(url: string): string {
  const parsed = new URL(url);
  const { searchParams } = parsed;
  searchParams.set("options", `${searchParams.get("options") ?? ""} -c TimeZone=UTC -c DateStyle=ISO`.trim());
  // The driver would read a file of this name. Without sslrootcert, it trusts the authorities that Node trusts.
  if (searchParams.get("sslrootcert") === "system") {
    searchParams.delete("sslrootcert");
    searchParams.set("sslmode", "verify-full");
  }
  const mode = searchParams.get("sslmode");
  if (mode !== null && mode !== "no-verify") searchParams.set("uselibpqcompat", "true");
  return parsed.href;
}

/** Whether a URL names several hosts, as libpq allows. With a port after the first one, it is not even a URL. */
export function namesSeveralHosts(url: string): boolean {
  const [, authority = "", rest = ""] = /^\w+:\/\/([^/?#]*)(.*)$/.exec(url) ?? [];
  return (authority.split("@").at(-1) ?? "").includes(",") || /[?&]host=[^&#]*(,|%2C)/i.test(rest);
}

/** Describes a parameter that the driver would misread or ignore; undefined if there is none. */
export function databaseUrlProblem(url: string): string | undefined {
  const { searchParams } = new URL(url);
  if (searchParams.get("sslrootcert") === "system" && (searchParams.get("sslmode") ?? "verify-full") !== "verify-full")
    return "sslrootcert=system needs sslmode=verify-full";
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

/** Describes why the driver rejects a URL. It reads the certificate files in it before it connects. */
function unreadable(url: string): string | undefined {
  try {
    new Client({ connectionString: driverUrl(url) });
  } catch (error) {
    const { path, message } = error as NodeJS.ErrnoException;
    return path ? `the file ${path} cannot be read` : message;
  }
}

/** The database and the user of a URL, for display: without the password. */
export function addressOf(url: string): { database: string; user: string } {
  const { host, port, database, user } = new Client({ connectionString: driverUrl(url) });
  return { database: `${host}:${port}/${database}`, user: user ?? "" };
}
