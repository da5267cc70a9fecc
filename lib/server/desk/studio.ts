import { recordRun } from "@/lib/server/applications/record-run";
import { database } from "@/lib/server/db/client";
import { answerStudio, bundleStudio, readersUrl, studioHtml } from "@/lib/server/studio/studio";

const recordedMs = 3_600_000;
/** When each person's use of Studio was last recorded. */
const lastRecorded = new Map<string, number>();

async function recordUse(by: string): Promise<void> {
  await recordRun({ by, command: "desk studio" });
  lastRecorded.set(by, Date.now());
}

/** Studio's page at the desk, recorded under the person who opens it. Its script runs by the nonce. */
export async function openStudio(by: string, nonce: string): Promise<string> {
  const page = await studioHtml(await readersUrl(database().url), "/desk/studio/", nonce, "/desk");
  await recordUse(by);
  return page;
}

let bundle: ReturnType<typeof bundleStudio> | undefined;

/** Bundled at the first opening, which takes a second. */
export async function studioFile(name: string) {
  bundle ??= bundleStudio();
  return (await bundle).get(name);
}

/** Runs what Studio's page sends. It is recorded once an hour, because a statement can be sent without the page. */
export async function answerQuery(body: unknown, by: string) {
  if (Date.now() - (lastRecorded.get(by) ?? 0) > recordedMs) await recordUse(by);
  return answerStudio(body, await readersUrl(database().url));
}
