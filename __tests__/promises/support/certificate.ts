import { generateKeyPairSync, sign } from "node:crypto";

/** One element of ASN.1's DER: its tag, its length, what it holds. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const hex = (text: string) => Buffer.from(text, "hex");
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
/** 'YYMMDDHHMMSSZ'. */
const time = (date: Date) => der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));

/** A self-signed certificate for a test's own TLS server, good for a day. Node makes keys, but no certificates. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(hex("06082a8648ce3d040302"));
  const commonName = sequence(der(0x31, sequence(hex("0603550403"), der(0x0c, Buffer.from("test")))));
  const day = 24 * 60 * 60 * 1000;
  const toBeSigned = sequence(
    hex("a003020102"),
    hex("020101"),
    ecdsaWithSha256,
    commonName,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = der(0x03, hex("00"), sign("sha256", toBeSigned, privateKey));
  const certificate = sequence(toBeSigned, ecdsaWithSha256, signature);
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
