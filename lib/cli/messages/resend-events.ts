import { withDatabase } from "@/lib/cli/shared/command";
import { withNoun } from "@/lib/cli/shared/output";
import { recordRun } from "@/lib/server/applications/record-run";
import { countReplay, type Events, type ReplayCounts, replay } from "@/lib/server/channels/webhooks/replay";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { currentSettings } from "@/lib/server/settings";

function inWords({ resent, created, beingSent }: ReplayCounts, isPreview: boolean): string {
  const will = isPreview ? "would" : "will";
  const [existing, missing] = [withNoun(resent, "existing message"), withNoun(created, "missing message")];
  const unchanged = beingSent > 0 ? ` Left unchanged, because they are being sent now: ${beingSent}.` : "";
  return `${existing} ${will} be sent with the original id, and ${missing} ${will} be created.${unchanged}`;
}

/** Sends events to the receiver again, or for the first time, and returns what to tell the operator. */
export function resendEvents(events: Events, by: string, isPreview: boolean): Promise<string> {
  if (!isPreview && !currentSettings().sending.webhook)
    throw new Error("WEBHOOK_URL is not set: there is no receiver.");
  return withDatabase(async () => {
    if (isPreview) return inWords(await countReplay(events), true);
    await recordRun({ by, command: "messages retry" });
    return inWords(await retryOnDeadlock(() => replay(events, by)), false);
  });
}
