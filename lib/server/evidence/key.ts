import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { canonicalize } from "json-canonicalize";
import { cached } from "@/lib/domain/cached";
import { currentSettings } from "@/lib/server/settings";

/**
 * The log's entry for a key: the public key in base64 and, except for the first key, the previous key and its signature. The first
 * key has the format of the leaves after it.
 */
export interface KeyEntry {
  kind: "key";
  key: string;
  format?: 2;
  previous?: string;
  signature?: string;
}

export interface EvidenceKey {
  entry: KeyEntry;
  /** Signs a value as JSON of RFC 8785. Returns base64. */
  sign(value: object): string;
}

/** The public key in base64: the last 32 bytes of its DER form. */
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
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Node's own errors, such as ERR_INVALID_ARG_TYPE, concern the content.
    const why = /^E[A-Z]+$/.test(code ?? "")
      ? `cannot be read: ${code}`
      : "is not a key file created by 'npm run evidence -- key'";
    throw new Error(`EVIDENCE_KEY_FILE ${file} ${why}.`);
  }
}

const keyIn = cached(readKey);

/** The key of this process; null if none is set. Throws if the file cannot be used. */
export function evidenceKey(): EvidenceKey | null {
  const { EVIDENCE_KEY_FILE: file } = currentSettings();
  return file ? keyIn(file) : null;
}

/** The notice at the start if no key is set. Throws if the key's file cannot be used. */
export function keyNotice(isKeepingLog: boolean): string {
  if (evidenceKey() || !isKeepingLog) return "";
  return "EVIDENCE_KEY_FILE is not set: the evidence log is not signed. Set it to the name of a new file, and 'npm run evidence -- key' creates the key there.";
}

/**
 * Writes a new key, which only this user can read. If there is a `previous` key, it signs the new one, which replaces it and
 * keeps its owner.
 */
export function writeKey(file: string, previous?: EvidenceKey): KeyEntry {
  const { privateKey } = generateKeyPairSync("ed25519");
  const named: KeyEntry = { kind: "key", key: publicPart(privateKey) };
  const successor = previous && { ...named, previous: previous.entry.key };
  const entry: KeyEntry = successor ? { ...successor, signature: previous.sign(successor) } : named;
  const text = JSON.stringify({ privateKey: privateKey.export({ type: "pkcs8", format: "pem" }), entry }, null, 2);
  const written = previous ? `${file}.new` : file;
  // A rotation that was killed may have left this file.
  if (previous) rmSync(written, { force: true });
  writeFileSync(written, `${text}\n`, { flag: "wx", mode: 0o600 });
  if (!previous) return entry;
  // Root may rotate a key that another user's processes read. The group stays, since it may not read the file anyway.
  chownSync(written, statSync(file).uid, -1);
  renameSync(written, file);
  return entry;
}
