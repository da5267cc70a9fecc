import "server-only";
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { SettingsError } from "@/lib/server/settings";

/** The private key in DKIM_KEY_FILE. With any but an RSA key nodemailer would send unsigned, without a word. */
export function readDkimKey(file: string): string {
  try {
    const pem = readFileSync(file, "utf8");
    if (createPrivateKey(pem).asymmetricKeyType === "rsa") return pem;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`A setting cannot be used.\nDKIM_KEY_FILE: cannot be read as a private key (${code})`);
  }
  throw new SettingsError("A setting cannot be used.\nDKIM_KEY_FILE: is no RSA key");
}
