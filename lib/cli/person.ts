import { eraseApplication } from "@/lib/server/applications/erase";
import { personalDataOf, recordRun } from "@/lib/server/applications/personal-data";
import { command, parseArguments, UsageError } from "./command";
import { actorName, byOption } from "./options";
import { print, writeOut } from "./output";
import { personalDataPage } from "./personal-data-page";
import { withDatabase } from "./with-database";

const usage = `Exports or erases everything that is stored about a person.

  npm run --silent person -- export REFERENCE                everything stored about a person, as JSON [--by NAME]
  npm run person -- export REFERENCE --html FILE             the same as a page to print
  npm run person -- erase REFERENCE [--by NAME]              also after submission; it cannot be undone`;

function readArguments(args: string[]) {
  const options = { ...byOption, html: { type: "string" } } as const;
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [action, reference, ...rest] = positionals;
  const isKnown = action === "export" || (action === "erase" && values.html === undefined);
  if (!isKnown || !reference || rest.length > 0) throw new UsageError("One action and one reference are needed.");
  return { action, reference, html: values.html, by: actorName(values.by) };
}

export default command(module, usage, async (args) => {
  const { action, reference, html, by } = readArguments(args);
  if (action === "erase") {
    const erased = await withDatabase(() => eraseApplication(reference, by));
    return console.log(`Personal data erased from ${erased}; its links no longer work.`);
  }
  const data = await withDatabase(async () => {
    const found = await personalDataOf(reference);
    await recordRun({ by, command: "person export", count: 1, reference: found.reference });
    return found;
  });
  if (html === undefined) return print(JSON.stringify(data, null, 2));
  await writeOut([personalDataPage(data)], html);
  console.log(`Wrote ${html}.`);
});
