import { execFileSync } from "node:child_process";

/** A self-signed certificate for a test's own TLS server, valid for a day. */
export function selfSigned(): { key: string; cert: string } {
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const flags = ["req", "-x509", ...curve, "-subj", "/CN=test", "-days", "1", "-keyout", "-"];
  const pem = execFileSync("openssl", flags, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const part = (name: string) => new RegExp(`-----BEGIN ${name}-----[^]+?-----END ${name}-----\n`).exec(pem)?.[0] ?? "";
  return { key: part("PRIVATE KEY"), cert: part("CERTIFICATE") };
}
