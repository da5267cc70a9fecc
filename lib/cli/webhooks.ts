import { recordRun } from "@/lib/server/applications/record-run";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { countReplay, type ReplayCounts, replay, webhookTypes } from "@/lib/server/messages/webhooks/replay";
import { currentSettings } from "@/lib/server/settings";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { actorName, byOption, oneOf, parseSince } from "./options";
import { withNoun } from "./output";

const usage = `Sends events again to the receiver at WEBHOOK_URL. 'npm run messages -- list --channel webhook' shows what was sent.

  npm run webhooks -- replay --since 2026-11-01 | today    every event since then, each with its original id, so that
    [--type TYPE] [--dry-run] [--by NAME]                  receivers can ignore those they have; --dry-run only counts

  TYPE is ${webhookTypes.join(" | ")}`;

function inWords({ resent, created, beingSent }: ReplayCounts, isDry: boolean): string {
  const will = isDry ? "would" : "will";
  const [existing, missing] = [withNoun(resent, "existing message"), withNoun(created, "missing message")];
  const unchanged = beingSent > 0 ? ` Left unchanged, because they are being sent now: ${beingSent}.` : "";
  return `${existing} ${will} be sent with the original id, and ${missing} ${will} be created.${unchanged}`;
}

export default command(module, usage, async (args) => {
  const options = {
    ...byOption,
    "dry-run": { type: "boolean", default: false },
    since: { type: "string" },
    type: { type: "string" },
  } as const;
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const { since, "dry-run": isDry } = values;
  if (positionals.join() !== "replay") throw new UsageError("The only action is replay.");
  if (!since) throw new UsageError("replay needs --since.");
  const events = { since: parseSince(since), type: oneOf("type", values.type, webhookTypes) ?? null };
  if (!isDry && !currentSettings().sending.webhook) throw new Error("WEBHOOK_URL is not set: there is no receiver.");
  const by = actorName(values.by);
  const done = await withDatabase(async () => {
    if (isDry) return countReplay(events);
    await recordRun({ by, command: "webhooks replay" });
    return retryOnDeadlock(() => replay(events, by));
  });
  console.log(inWords(done, isDry));
});
