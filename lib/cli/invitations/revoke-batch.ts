import { formatCount, isConfirmed, print, withNoun } from "@/lib/cli/shared/output";
import { countLiveLinks, revokeLinksOf } from "@/lib/server/invitations/links";
import { requireBatch } from "@/lib/server/invitations/unopened";

interface BatchOptions {
  batch: string;
  by: string;
  preview?: boolean;
  /** Does not ask on a terminal. */
  yes?: boolean;
}

/** Revokes every link of a batch. A second run continues a stopped one. */
export async function revokeBatch({ batch, by, preview, yes }: BatchOptions): Promise<void> {
  await requireBatch(batch);
  const asks = !yes && process.stdin.isTTY;
  if (preview || asks) {
    const { links, applications } = await countLiveLinks(batch);
    const what = `${withNoun(links, "link")} of ${withNoun(applications, "application")} in the batch '${batch}'`;
    if (preview) return print(`To revoke: ${what}.\nNothing was changed.`);
    if (!(await isConfirmed(`Revoke ${what}?`))) {
      process.exitCode = 1;
      return print("Nothing was changed.");
    }
  }
  const report = (revoked: number) => console.error(`${formatCount(revoked)} revoked so far.`);
  print(`${withNoun(await revokeLinksOf(batch, by, report), "link")} revoked.`);
}
