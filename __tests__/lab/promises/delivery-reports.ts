import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { endingFor, readReport } from "@/lib/server/channels/bounces/read-report";

/** What the collection calls a recipient or host that does not exist. */
const unknown = ["userunknown", "hostunknown", "hasmoved"];
/** What must never cost an address. */
const others = ["blocked", "badreputation", "policyviolation", "authfailure", "spamdetected", "mailboxfull"];
/** The collection names this one after its text: its fields say 'User Unknown'. */
const misnamed = "rfc3464-01";

/** The meaning of each email's first recipient by the email's name, from the expectations in rb-sisimai's test/public. */
function readMeanings(paths: string[]): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const path of paths.filter((name) => /test\/public\/(lhost|rhost|rfc|arf).*\.rb$/.test(name)))
    for (const [, number, meaning = ""] of readFileSync(path, "utf8").matchAll(
      /'(\d\d)' => \[\['[^']*',\s*'[^']*',\s*'([a-z]+)'/g,
    ))
      meanings.set(`${basename(path, ".rb")}-${number}`, meaning);
  return meanings;
}

/** Compares what the product makes of each report with its meaning. */
async function judgeReports(folder: string): Promise<string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const meanings = readMeanings(paths);
  const emails = new Map(
    paths.filter((path) => /maildir\/bsd\/.*\.eml$/.test(path)).map((path) => [basename(path, ".eml"), path]),
  );
  const found: string[] = [];
  const missed: string[] = [];
  const wrong: string[] = [];
  let judged = 0;
  for (const [name, path] of [...emails].sort()) {
    const report = await readReport(readFileSync(path));
    const meaning = meanings.get(name) ?? "";
    if (!report || report.recipients.length === 0) continue;
    const isBounce = endingFor(report, "").outcome === "bounced";
    if (unknown.includes(meaning)) (isBounce ? found : missed).push(name);
    if (!others.includes(meaning) || name === misnamed) continue;
    judged += 1;
    if (isBounce) wrong.push(name);
  }
  expect(wrong.length === 0 && judged > 0, `${judged} other failures, of which 'bounced': ${wrong.join(", ")}`);
  const all = found.length + missed.length;
  const figure = `${found.length} of ${all} unknown recipients and hosts found (${Math.floor((100 * found.length) / all)} %), missed: ${missed.join(", ")}`;
  expect(found.length >= 0.9 * all, figure);
  return `${emails.size} genuine delivery reports: ${figure}; 0 of ${judged} failures by reputation, policy, authentication, spam or quota taken for one`;
}

/** The collection is not part of the project, so nothing is measured without it. */
const folder = process.env.BOUNCE_SAMPLES;
if (folder) promise(83, () => judgeReports(folder));
