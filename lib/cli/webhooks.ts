import { parseArgs } from "node:util";
import { type Delivery, type Events, listDeliveries, webhookTypes } from "@/lib/server/messages/webhooks/deliveries";
import { countReplay, type Replayed, replay } from "@/lib/server/messages/webhooks/replay";
import { currentSettings } from "@/lib/server/settings";
import { command, UsageError } from "./command";
import { actorName, byOption, sinceOf } from "./options";
import { minute, print, table } from "./output";
import { withDatabase } from "./with-database";

const usage = `Compares what happened with what the receiver at WEBHOOK_URL was told, and tells it again.

  npm run --silent webhooks -- list [--json]            every event, oldest first, and whether it was delivered
  npm run webhooks -- replay --since 2026-11-01         sends again every event since then, each with the id it had, so
    [--dry-run] [--by NAME]                             that receivers can leave out what they know; with --dry-run only counts

  Both take --since today, or 2026-11-01: what happened since then
            --type ${webhookTypes.join(" | ")}`;

const headings = ["happened", "type", "reference", "status", "delivery", "attempts", "last or next", "error"];

function cells({ at, type, reference, status, state, attempts, sentAt, dueAt, error }: Delivery): string[] {
  return [minute(at), type, reference, status, state, String(attempts), minute(dueAt ?? sentAt), error];
}

function tell(deliveries: Delivery[]): void {
  if (deliveries.length > 0) print(table(headings, deliveries.map(cells)));
  const states = deliveries.map(({ state }) => state);
  const count = (one: string) => `${states.filter((state) => state === one).length} ${one}`;
  const counts = [...new Set(states)].map(count).join(", ");
  console.error(counts ? `${deliveries.length} events: ${counts}.` : "There is no such event.");
}

function inWords({ again, made, underWay }: Replayed, isDry: boolean): string {
  const verb = isDry ? "would be" : "is";
  const waiting = underWay > 0 ? ` ${underWay} on the way just now: left alone.` : "";
  return `${again} sent before or waiting: each ${verb} sent with the id it had. ${made} never written down: a message ${verb} made for each.${waiting}`;
}

function call() {
  const isDry = { "dry-run": { type: "boolean" } } as const;
  const options = {
    ...byOption,
    ...isDry,
    since: { type: "string" },
    type: { type: "string" },
    json: { type: "boolean" },
  } as const;
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options });
  const action = positionals.length === 1 ? positionals[0] : undefined;
  if (action !== "list" && action !== "replay") throw new UsageError("Choose list or replay.");
  if (action === "list" && (values["dry-run"] || values.by)) throw new UsageError("--dry-run and --by go with replay.");
  if (action === "replay" && values.json) throw new UsageError("--json goes with list.");
  if (action === "replay" && !values.since) throw new UsageError("replay needs --since.");
  const type = webhookTypes.find((one) => one === values.type) ?? null;
  if (values.type !== undefined && !type)
    throw new UsageError(`There is no type ${values.type}: ${webhookTypes.join(", ")}.`);
  const events: Events = { since: sinceOf(values.since), type };
  return { action, events, values };
}

command(async () => {
  const { action, events, values } = call();
  if (action === "list") {
    const deliveries = await withDatabase(() => listDeliveries(events));
    return values.json ? print(JSON.stringify(deliveries)) : tell(deliveries);
  }
  const isDry = values["dry-run"] ?? false;
  if (!isDry && !currentSettings().sending.webhook) throw new Error("WEBHOOK_URL is not set: there is nobody to tell.");
  const done = await withDatabase(() => (isDry ? countReplay(events) : replay(events, actorName(values.by))));
  console.log(inWords(done, isDry));
}, usage);
