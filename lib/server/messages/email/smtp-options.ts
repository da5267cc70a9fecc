import "server-only";

const loopback = /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/;

/**
 * How the server of SMTP_URL is spoken to; what its query says (?tls.rejectUnauthorized=false, ?name=host.example) comes
 * on top. Nobody stands between this machine and itself, and mail servers of a fresh system sign their own certificate.
 * Elsewhere a password goes out encrypted or not at all, unless ?ignoreTLS=true asks for it.
 */
export function smtpOptions(address: string, appUrl: string) {
  const url = new URL(address);
  const isHere = loopback.test(url.hostname);
  return {
    url: address,
    // By default it is '[127.0.0.1]' on a machine without a domain, which relays take for a spammer's.
    ...(url.searchParams.has("name") ? {} : { name: new URL(appUrl).hostname }),
    requireTLS: url.password !== "" && !isHere && url.searchParams.get("ignoreTLS") !== "true",
    ...(isHere ? { tls: { rejectUnauthorized: false } } : {}),
  };
}
