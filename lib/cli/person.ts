import { type ChangeTimes, eraseApplication } from "@/lib/server/applications/erase";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { otherApplicationsOf, personalDataOf } from "@/lib/server/applications/personal-data";
import { recordRun } from "@/lib/server/applications/record-run";
import { listedAs } from "@/lib/server/applications/search";
import { prisma, readSnapshot } from "@/lib/server/db/client";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { actorName, byOption, refuseOtherFlags } from "./options";
import { isConfirmed, print, printable, writeOut } from "./output";
import { personalDataPage } from "./personal-data-page";

const usage = `Exports or erases everything that is stored about the person of an application.

  npm run --silent person -- export REFERENCE                everything stored about the person, as JSON [--by NAME]
  npm run person -- export REFERENCE --html FILE             the same as a page to print
  npm run person -- erase REFERENCE [--by NAME] [--yes]      even after submission; it cannot be undone

  Both list the other applications with the same mobile or email, but neither export nor erase them. On a terminal, erase shows
  whom and what it will erase, and asks for confirmation. It does not ask in a script or with --yes.`;

function readArguments(args: string[]) {
  const options = { ...byOption, html: { type: "string" }, yes: { type: "boolean" } } as const;
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [action, reference, ...rest] = positionals;
  if ((action !== "export" && action !== "erase") || !reference || rest.length > 0)
    throw new UsageError("One action and one reference are needed.");
  refuseOtherFlags(action, values, { export: ["html"], erase: ["yes"] });
  return {
    action,
    reference,
    html: values.html,
    needsConfirmation: !values.yes && process.stdin.isTTY,
    by: actorName(values.by),
  };
}

/** Returns the times of the application that was shown, or null if the operator does not confirm its erasure. */
async function confirmErasure(typedReference: string, by: string): Promise<ChangeTimes | null> {
  const { id, reference } = await findByReference(typedReference);
  const shown = await prisma().application.findUniqueOrThrow({
    where: { id },
    select: { updatedAt: true, erasedAt: true },
  });
  const [listed] = await readSnapshot((tx) => listedAs(tx, reference));
  await recordRun({ by, command: "person erase", count: 1, reference });
  console.error(
    printable(`${reference}: ${listed?.name || "no name"}, ${listed?.status}.
This erases the answers, the invitation's values, and everything that names the person in messages and events. Links stop working.
It cannot be undone.`),
  );
  return (await isConfirmed(`Erase ${reference}?`)) ? shown : null;
}

/** On stderr, because the export is on standard output. */
async function nameOthers(reference: string): Promise<void> {
  const others = await otherApplicationsOf(reference);
  if (others.length > 0)
    console.error(
      `Other applications with the same mobile or email: ${others.join(", ")}. They may concern the same person. This command does not include them.`,
    );
}

export default command(module, usage, async (args) => {
  const { action, reference, html, needsConfirmation, by } = readArguments(args);
  if (action === "erase")
    return withDatabase(async () => {
      await nameOthers(reference);
      const shown = needsConfirmation ? await confirmErasure(reference, by) : undefined;
      if (shown === null) {
        process.exitCode = 1;
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
  await writeOut([personalDataPage(data)], html);
  console.log(`Wrote ${html}.`);
});
