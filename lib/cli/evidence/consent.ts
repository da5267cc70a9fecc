import { command, withDatabase } from "@/lib/cli/shared/command";
import { UsageError } from "@/lib/cli/shared/flags";
import { formatCount, print, withNoun } from "@/lib/cli/shared/output";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { verifyConsents } from "@/lib/server/evidence/verify-consents";

const usage = `Recomputes the hashes of every consent record, or of one, and names what was changed.

  bin/rent consent verify [REFERENCE]`;

/** Prints every problem. Returns the number of records, of broken ones, and of those verified by text only. */
async function verify(reference: string | undefined) {
  const count = { all: 0, broken: 0, text: 0 };
  const id = reference && (await findByReference(reference)).id;
  for await (const { reference, problems, by } of verifyConsents(id)) {
    count.all += 1;
    if (by === "text" && problems.length === 0) count.text += 1;
    if (problems.length > 0) count.broken += 1;
    for (const problem of problems) print(`${reference}  ${problem}`);
  }
  return count;
}

export default command(module, { usage, takesWords: true }, async ({ words }) => {
  const [action, reference, ...rest] = words;
  if (action !== "verify" || rest.length > 0) throw new UsageError("Choose verify, with at most one reference.");
  const { all, broken, text } = await withDatabase(() => verify(reference));
  if (all === 0 && reference) throw new Error(`${reference} has not been submitted.`);
  if (all === 0) return console.log("Nothing has been submitted yet.");
  console.log(`${formatCount(all - broken)} of ${withNoun(all, "consent record")} verified.`);
  if (text > 0)
    console.log(`${text} verified by text only, after an erasure. The evidence log has the hash of the whole record.`);
  if (broken > 0) process.exitCode = 1;
});
