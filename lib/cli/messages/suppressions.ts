import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError, type Values } from "@/lib/cli/shared/flags";
import { actorName, byOption, headingOption, jsonOption, requireRecipient } from "@/lib/cli/shared/options";
import { print, table } from "@/lib/cli/shared/output";
import { recordRun } from "@/lib/server/applications/record-run";
import { toTheMinute } from "@/lib/server/brand-time";
import { prisma } from "@/lib/server/db/client";
import { addOptOut, checkOptOut, removeOptOut } from "@/lib/server/invitations/opt-outs";
import { listSuppressions } from "@/lib/server/outbox/suppressions";

const usage = `Stops invitations and reminders to an address or number, or allows them again. Only a hash of the address is stored. The
reason is stored as it is typed, and an erasure keeps it, so name nobody in it.

  bin/rent suppressions add ADDRESS
  bin/rent suppressions remove ADDRESS    if the person asks for it, or a bounced address works again
  bin/rent suppressions check ADDRESS
  bin/rent suppressions list              newest first, with the applications that still have the address`;

const flags = {
  reason: { type: "string", for: ["add"], value: "TEXT", help: "why, for the record" },
  json: { ...jsonOption.json, for: ["list"] },
  "no-heading": { ...headingOption["no-heading"], for: ["list"] },
  ...byOption,
} as const satisfies Flags;

async function list({ json, "no-heading": isPlain }: Values<typeof flags>, by: string): Promise<void> {
  const found = await listSuppressions(prisma());
  await recordRun({ by, command: "suppressions list", count: found.length });
  if (json) return print(JSON.stringify(found));
  if (found.length === 0) return console.error("Nothing is stopped.");
  const rows = found.map(({ createdAt, channel, reason, by, references }) => [
    toTheMinute(createdAt),
    channel,
    reason,
    by,
    references.join(" "),
  ]);
  print(table(["since", "channel", "reason", "by", "reference"], rows, isPlain));
}

const actions = new Map(Object.entries({ add: addOptOut, remove: removeOptOut, check: checkOptOut }));

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const [name = "", ...address] = words;
  const by = actorName(values.by);
  if (name === "list" && address.length === 0) return withDatabase(() => list(values, by));
  const action = actions.get(name);
  if (!action) throw new UsageError("Choose add, remove, check or list.");
  if (address.length === 0) throw new UsageError("An address or a number is needed.");
  const recipient = requireRecipient(address.join(" "));
  print(
    await withDatabase(() => action(recipient, { by, command: `suppressions ${name}`, why: values.reason?.trim() })),
  );
});
