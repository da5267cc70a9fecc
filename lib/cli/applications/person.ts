import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError, type Values } from "@/lib/cli/shared/flags";
import { actorName, byOption, forceOption, previewOption, yesOption } from "@/lib/cli/shared/options";
import { isConfirmed, print, writeOut } from "@/lib/cli/shared/output";
import { printable } from "@/lib/domain/printable-text";
import { type ChangeTimes, eraseApplication, erasureInWords } from "@/lib/server/applications/erase";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { otherApplicationsOf, personalDataOf } from "@/lib/server/applications/personal-data";
import { recordRun } from "@/lib/server/applications/record-run";
import { listedAs } from "@/lib/server/applications/search";
import { prisma, readSnapshot } from "@/lib/server/db/client";
import { personalDataPage } from "@/lib/server/templates/personal-data-page";

const usage = `Exports or erases everything that is stored about the person of an application.

  bin/rent person export REFERENCE                everything stored about the person, as JSON
  bin/rent person export REFERENCE --html FILE    a page for the landlord, to send or print
  bin/rent person erase REFERENCE                 even after submission; it cannot be undone

  Both list the other applications with the same mobile or email, but neither export nor erase them. On a terminal, erase shows
  whom and what it will erase, and asks for confirmation. It does not ask in a script.`;

const flags = {
  html: { type: "string", for: ["export"], value: "FILE", isPath: true, help: "writes a page for the landlord" },
  force: { ...forceOption.force, for: ["export"] },
  preview: { ...previewOption.preview, for: ["erase"] },
  yes: { ...yesOption.yes, for: ["erase"] },
  ...byOption,
} as const satisfies Flags;

function readArguments(values: Values<typeof flags>, [action, reference, ...rest]: string[]) {
  if ((action !== "export" && action !== "erase") || !reference || rest.length > 0)
    throw new UsageError("One action and one reference are needed.");
  const { html, force, preview, yes, by } = values;
  if (force && html === undefined) throw new UsageError("--force requires --html.");
  const needsConfirmation = !yes && process.stdin.isTTY;
  return { action, reference, html, force, preview, needsConfirmation, by: actorName(by) };
}

/** Returns the times of the application that was shown, or null if the operator does not confirm its erasure. */
async function confirmErasure(typedReference: string, by: string, isPreview = false): Promise<ChangeTimes | null> {
  const { id, reference } = await findByReference(typedReference);
  const shown = await prisma().application.findUniqueOrThrow({
    where: { id },
    select: { updatedAt: true, erasedAt: true },
  });
  const [listed] = await readSnapshot((tx) => listedAs(tx, reference));
  await recordRun({ by, command: "person erase", count: 1, reference });
  console.error(
    printable(`${reference}: ${listed?.name || "no name"}, ${listed?.status}.
${erasureInWords}`),
  );
  return !isPreview && (await isConfirmed(`Erase ${reference}?`)) ? shown : null;
}

/** On stderr, because the export is on standard output. */
async function nameOthers(reference: string): Promise<void> {
  const others = await otherApplicationsOf(reference);
  if (others.length > 0)
    console.error(
      `Other applications with the same mobile or email: ${others.join(", ")}. They may concern the same person. This command does not include them.`,
    );
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const { action, reference, html, force, preview, needsConfirmation, by } = readArguments(values, words);
  if (action === "erase")
    return withDatabase(async () => {
      await nameOthers(reference);
      const shown = preview || needsConfirmation ? await confirmErasure(reference, by, preview) : undefined;
      if (shown === null) {
        if (!preview) process.exitCode = 1;
        return console.log("Nothing was erased.");
      }
      const erased = await eraseApplication(reference, by, shown);
      console.log(`Personal data erased from ${erased}; its links no longer work.`);
    });
  const data = await withDatabase(async () => {
    const found = await personalDataOf(reference);
    await recordRun({ by, command: "person export", count: 1, reference: found.reference });
    await nameOthers(reference);
    return found;
  });
  if (html === undefined) return print(JSON.stringify(data, null, 2));
  await writeOut([personalDataPage(data)], html, { replaces: force });
  console.log(`Wrote ${html}.`);
});
