import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, fromCallersFolder, UsageError } from "@/lib/cli/shared/flags";
import { forceOption } from "@/lib/cli/shared/options";
import { cannotWrite, print, withNoun, writeOut } from "@/lib/cli/shared/output";
import { prisma } from "@/lib/server/db/client";
import { lockEvidenceLog } from "@/lib/server/db/locks";
import { lastKey } from "@/lib/server/evidence/append";
import { parsed } from "@/lib/server/evidence/evidence-verify.mjs";
import { type KeyEntry, readKey, writeKey } from "@/lib/server/evidence/key";
import { verifyConsents } from "@/lib/server/evidence/verify-consents";
import { differencesFrom, type KeptFile, type VerifiedLog, verifyLog } from "@/lib/server/evidence/verify-log";
import { currentSettings } from "@/lib/server/settings";

const usage = `Manages the evidence log, which reveals later changes to what was agreed and decided (docs/evidence.md).

  bin/rent evidence key                        creates the key file that EVIDENCE_KEY_FILE names
  bin/rent evidence verify --against FILE …    recomputes every leaf and head, and compares them with copies kept elsewhere
  bin/rent evidence export FOLDER              writes the log, its keys and a verifier for receipts`;

const flags = {
  rotate: { type: "boolean", for: ["key"], help: "replaces the key" },
  against: {
    type: "string",
    multiple: true,
    value: "FILE",
    for: ["verify"],
    help: "a receipt, head or export that was kept elsewhere",
  },
  force: { ...forceOption.force, for: ["export"] },
} as const satisfies Flags;

async function key(rotate: boolean): Promise<void> {
  const file = currentSettings().EVIDENCE_KEY_FILE;
  if (!file) throw new Error("EVIDENCE_KEY_FILE is not set: it names the file to write.");
  if (existsSync(file) && !rotate)
    throw new Error(`${file} already exists. Use --rotate to replace it with a new key.`);
  const { key: made } = rotate ? await withDatabase(() => replaceKey(file)) : tryToWrite(file, () => writeKey(file));
  console.log(
    `Wrote ${file}: public key ${made}. Restart the processes that append to the log, and keep a copy of the file elsewhere.`,
  );
}

/**
 * Lets one rotation at a time read the key and replace it, so that none overwrites a key that another has just written. The log
 * accepts only a key that its current key has signed, so it would reject a second rotation without a restart.
 */
function replaceKey(file: string): Promise<KeyEntry> {
  return prisma().$transaction(async (tx) => {
    await lockEvidenceLog(tx);
    const previous = readKey(file);
    const last = await lastKey(tx);
    if (last && last.key !== previous.entry.key)
      throw new Error(
        `The key in ${file} is not the log's current key. Restart the worker after each rotation, before the next one.`,
      );
    return tryToWrite(file, () => writeKey(file, previous));
  });
}

/** Runs `write`, and says in a sentence why a file cannot be written. */
function tryToWrite<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new Error(cannotWrite(file, error as NodeJS.ErrnoException));
  }
}

function readKept(file: string): [name: string, content: KeptFile] {
  try {
    return [basename(file), parsed(readFileSync(file, "utf8"))];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`The file ${file} cannot be read: ${code ?? message}`);
  }
}

async function verify(url: string, against: [name: string, content: KeptFile][]): Promise<void> {
  const result = await verifyLog(url);
  const { log, problems, changed, unproven } = result;
  for (const id of changed)
    for await (const record of verifyConsents(id))
      problems.push(...record.problems.map((problem) => `${record.reference}: ${problem}`));
  for (const [name, content] of against) {
    const found = await differencesFrom(log, content);
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  for (const problem of problems) print(problem);
  print(summary(result));
  if (against.length === 0)
    print(
      "No copy kept elsewhere was given (--against). Without one, this cannot detect that someone with all privileges rewrote the whole log (with another key if need be), truncated it, or restored it from a dump.",
    );
  else if (problems.length === 0) print(`The log agrees with ${against.map(([name]) => name).join(", ")}.`);
  if (problems.length > 0) process.exitCode = 1;
  else if (unproven > 0) process.exitCode = 3;
}

function summary({ log: { head, keys }, erased, unproven, unsigned, unsignedHeads, queued }: VerifiedLog): string {
  const by = head.key ? `signed with ${head.key}` : "not signed";
  // Written as evidence-verify.mjs and the log itself write a size.
  const leaves = (count: number) => `${count} ${count === 1 ? "leaf" : "leaves"}`;
  const lines = [`${leaves(head.size)}, root ${head.root}, ${by}; ${withNoun(keys.length, "key")}.`];
  if (erased > 0)
    lines.push(`Erased: the answers, or any reason, of ${leaves(erased)}. Of these, only a hash remains.`);
  if (unproven > 0) lines.push(`${leaves(unproven)} cannot be checked until an erasure has its leaf.`);
  if (unsigned === 1) lines.push("No signed head covers the last leaf.");
  if (unsigned > 1) lines.push(`No signed head covers the last ${leaves(unsigned)}.`);
  if (unsignedHeads > 0) lines.push(`${withNoun(unsignedHeads, "head is", "heads are")} not signed.`);
  if (queued > 0) lines.push(`${withNoun(queued, "event waits", "events wait")} for a leaf.`);
  return lines.join("\n");
}

/** Embeds the verifier, because a page opened from disk cannot load a module. The page can load and send nothing. */
const page = (script: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>Check a receipt</title>
<style>body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui } output { display: block; margin-top: 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere }</style>
<h1>Check a receipt</h1>
<p><label for="files">Choose the receipt together with evidence-log.json or a later receipt. The files stay on this device.</label></p>
<input id="files" type="file" accept=".json,application/json" multiple>
<output for="files" aria-live="polite"></output>
<script type="module">
${script}</script>
</html>
`;

async function exportTo(url: string, folder: string, replaces: boolean | undefined): Promise<void> {
  const { log } = await verifyLog(url);
  const script = readFileSync(join(process.cwd(), "lib/server/evidence/evidence-verify.mjs"), "utf8");
  const files: Record<string, string> = {
    "evidence-log.json": `${JSON.stringify(log)}\n`,
    "evidence-verify.mjs": script,
    "evidence-verify.html": page(script),
  };
  tryToWrite(folder, () => mkdirSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    await writeOut([text], file, { replaces });
    print(`Wrote ${file}.`);
  }
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const [action, ...rest] = words;
  const { against = [], rotate = false } = values;
  if (action === "key" && rest.length === 0) return key(rotate);
  if (action === "verify" && (rest.length === 0 || against.length > 0)) {
    // '--against a.json b.json' names both files.
    const kept = [...against, ...rest].map(fromCallersFolder).map(readKept);
    return withDatabase((url) => verify(url, kept));
  }
  const [folder, ...extra] = rest;
  if (action !== "export" || !folder || extra.length > 0) throw new UsageError("Choose key, verify or export FOLDER.");
  await withDatabase((url) => exportTo(url, fromCallersFolder(folder), values.force));
});
