import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { actorName, byOption, oneOf, parseSince, previewOption } from "@/lib/cli/shared/options";
import { withNoun } from "@/lib/cli/shared/output";
import { recordRun } from "@/lib/server/applications/record-run";
import { countReplay, type ReplayCounts, replay, webhookTypes } from "@/lib/server/channels/webhooks/replay";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { currentSettings } from "@/lib/server/settings";

const usage = `Sends events again to the receiver at WEBHOOK_URL, each with its original id, so that receivers can ignore those they have.

  bin/rent webhooks replay --since today`;

const flags = {
  since: { type: "string", value: "DAY", help: "every event since then: today or 2026-11-01" },
  type: { type: "string", value: "TYPE", help: `only ${webhookTypes.join(" or ")}` },
  ...previewOption,
  ...byOption,
} as const satisfies Flags;

function inWords({ resent, created, beingSent }: ReplayCounts, preview: boolean): string {
  const will = preview ? "would" : "will";
  const [existing, missing] = [withNoun(resent, "existing message"), withNoun(created, "missing message")];
  const unchanged = beingSent > 0 ? ` Left unchanged, because they are being sent now: ${beingSent}.` : "";
  return `${existing} ${will} be sent with the original id, and ${missing} ${will} be created.${unchanged}`;
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const { since, preview = false } = values;
  if (words.join() !== "replay") throw new UsageError("The only action is replay.");
  if (!since) throw new UsageError("replay needs --since.");
  const events = { since: parseSince(since), type: oneOf("type", values.type, webhookTypes) ?? null };
  if (!preview && !currentSettings().sending.webhook) throw new Error("WEBHOOK_URL is not set: there is no receiver.");
  const by = actorName(values.by);
  const done = await withDatabase(async () => {
    if (preview) return countReplay(events);
    await recordRun({ by, command: "webhooks replay" });
    return retryOnDeadlock(() => replay(events, by));
  });
  console.log(inWords(done, preview));
});
