import "server-only";
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { canonicalize } from "json-canonicalize";
import { currentSettings } from "@/lib/server/settings";

/** What the log says of a key: itself in base64, and of each but the first, that the key before it has signed it. */
export interface KeyEntry {
  kind: "key";
  key: string;
  previous?: string;
  signature?: string;
}

/** An Ed25519 key that signs the heads of the log. */
export interface EvidenceKey {
  entry: KeyEntry;
  /** Signs JSON as RFC 8785 writes it. Returns base64. */
  sign(value: object): string;
}

/** The 32 bytes of the public key, which end its DER form, in base64. */
const publicPart = (key: KeyObject) =>
  createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-32).toString("base64");

const signerOf = (key: KeyObject) => (value: object) =>
  sign(null, Buffer.from(canonicalize(value)), key).toString("base64");

export function readKey(file: string): EvidenceKey {
  try {
    const { privateKey, entry } = JSON.parse(readFileSync(file, "utf8"));
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== "ed25519" || entry.key !== publicPart(key)) throw new Error("another key");
    return { entry, sign: signerOf(key) };
  } catch {
    throw new Error("EVIDENCE_KEY_FILE is not a key file made by 'npm run evidence -- key', or cannot be read.");
  }
}

const keys = new Map<string, EvidenceKey>();

/** The key of this process; null where none is set. Throws where the file cannot be used. */
export function evidenceKey(): EvidenceKey | null {
  const { evidence } = currentSettings();
  if (!evidence.keyFile) return null;
  const key = keys.get(evidence.keyFile) ?? readKey(evidence.keyFile);
  keys.set(evidence.keyFile, key);
  return key;
}

/** What the start says. Throws where the key's file cannot be used. */
export function keyNotice(isKeepingLog: boolean): string {
  if (evidenceKey() || !isKeepingLog) return "";
  return "EVIDENCE_KEY_FILE is not set: the evidence log grows unsigned. 'npm run evidence -- key' makes a key.";
}

/** Writes a new key, for this user alone. With `previous` it takes that one's place in the file, signed by it. */
export function writeKey(file: string, previous?: EvidenceKey): KeyEntry {
  const { privateKey } = generateKeyPairSync("ed25519");
  const named: KeyEntry = { kind: "key", key: publicPart(privateKey) };
  const follows = previous && { ...named, previous: previous.entry.key };
  const entry: KeyEntry = follows ? { ...follows, signature: previous.sign(follows) } : named;
  const text = JSON.stringify({ privateKey: privateKey.export({ type: "pkcs8", format: "pem" }), entry }, null, 2);
  const written = previous ? `${file}.new` : file;
  // A rotation that was killed may have left it.
  if (previous) rmSync(written, { force: true });
  writeFileSync(written, `${text}\n`, { flag: "wx", mode: 0o600 });
  if (previous) renameSync(written, file);
  return entry;
}
