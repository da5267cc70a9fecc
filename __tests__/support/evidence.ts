import { join } from "node:path";
import { submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { database, prisma } from "@/lib/server/db/client";
import { appendAll } from "@/lib/server/evidence/append";
import { report } from "@/lib/server/evidence/evidence-verify.mjs";
import { type EvidenceKey, readKey, writeKey } from "@/lib/server/evidence/key";
import { evidenceReceipt } from "@/lib/server/evidence/receipt";
import { verifyLog } from "@/lib/server/evidence/verify-log";
import { currentSettings, replaceSettings } from "@/lib/server/settings";

/** Makes evidence keys in a temporary folder, and selects the key with which this process signs. */
export function evidenceKeys() {
  const folder = temporaryFolder();
  let made = 0;
  const signWith = (keyFile: string | undefined) =>
    replaceSettings({ ...currentSettings(), EVIDENCE_KEY_FILE: keyFile });
  return {
    signWith,
    /** Makes a new key, signed by `previous` if that is given. */
    make(previous?: EvidenceKey) {
      made += 1;
      const file = join(folder, `key-${made}.json`);
      if (previous) writeKey(file);
      writeKey(file, previous);
      return { file, key: readKey(file) };
    },
  };
}

/** Gives each event that waits for a leaf its leaf. */
export const append = () => appendAll(prisma());

export async function submittedWithLeaf() {
  const application = await submitted();
  await append();
  return application;
}

export async function receiptOf(applicationId: string) {
  const receipt = await evidenceReceipt(prisma(), applicationId);
  if (!receipt) throw new Error("There is no receipt");
  return receipt;
}

export const verified = () => verifyLog(database().url);
export const problemsOfLog = async () => (await verified()).problems;

/** Returns the report of evidence-verify.mjs on these files, which are given by name, the receipt first. */
export const reportOf = (files: Record<string, unknown>) =>
  report(Object.entries(files) as Parameters<typeof report>[0]);
