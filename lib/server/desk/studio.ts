import { recordRun } from "@/lib/server/applications/record-run";
import { database } from "@/lib/server/db/client";
import { answerStudio, bundleStudio, readersUrl, studioHtml } from "@/lib/server/studio/studio";

/** Studio's page at the desk, recorded under the person who opens it. Its script runs by the nonce. */
export async function openStudio(by: string, nonce: string): Promise<string> {
  const page = await studioHtml(await readersUrl(database().url), "/desk/studio/", nonce, "/desk");
  await recordRun({ by, command: "desk studio" });
  return page;
}

let bundle: ReturnType<typeof bundleStudio> | undefined;

/** Bundled at the first opening, which takes a second. */
export async function studioFile(name: string) {
  bundle ??= bundleStudio();
  return (await bundle).get(name);
}

export const answerQuery = async (body: unknown) => answerStudio(body, await readersUrl(database().url));
