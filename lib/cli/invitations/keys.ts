import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError } from "@/lib/cli/shared/flags";
import { actorName, byOption, headingOption, jsonOption, oneOf } from "@/lib/cli/shared/options";
import { print, printAtOnce, printBeforeCommit, table } from "@/lib/cli/shared/output";
import { recordRun } from "@/lib/server/applications/record-run";
import { toTheMinute } from "@/lib/server/brand-time";
import { type Db, prisma } from "@/lib/server/db/client";
import { createKey, listKeys, revokeKey, scopes } from "@/lib/server/invitations/api-keys";

const usage = `Manages the API keys with which other systems issue invitations (POST /api/v1/invitations).

  bin/rent keys create --name NAME    prints the key, once
  bin/rent keys list
  bin/rent keys revoke NAME           takes effect on the next call`;

const flags = {
  name: { type: "string", for: ["create"], value: "NAME", help: "the system that gets the key" },
  scope: {
    type: "string",
    multiple: true,
    for: ["create"],
    value: scopes.join(" | "),
    help: "what it may do; everything by default",
  },
  json: { ...jsonOption.json, for: ["list"] },
  "no-heading": { ...headingOption["no-heading"], for: ["list"] },
  ...byOption,
} as const satisfies Flags;

const headings = ["name", "scopes", "by", "created", "last used", "revoked"];

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const [action, keyName, ...rest] = words;
  const { name = "", json } = values;
  const chosenScopes = (values.scope ?? scopes).flatMap((scope) => oneOf("scope", scope, scopes) ?? []);
  if (action === "create" && !keyName) {
    if (!/^[\w.-]{1,40}$/.test(name)) throw new UsageError("--name must be 1 to 40 letters, digits, '.', '-' or '_'.");
    const by = actorName(values.by);
    const create = (print: (key: string) => Promise<void>) =>
      prisma().$transaction(async (tx) => {
        await recordRun({ by, command: "keys create", reference: name }, tx);
        await print(await createKey(name, chosenScopes, by, tx));
      });
    return withDatabase(() => printBeforeCommit((key) => printAtOnce([key]), create));
  }
  if (action === "revoke" && keyName && rest.length === 0) {
    const revoke = async (tx: Db) => {
      await recordRun({ by: actorName(values.by), command: "keys revoke", reference: keyName }, tx);
      await revokeKey(keyName, tx);
    };
    await withDatabase(() => prisma().$transaction(revoke));
    return print(`The key ${keyName} is revoked.`);
  }
  if (action !== "list" || keyName) throw new UsageError("Choose create --name NAME, list or revoke NAME.");
  const keys = await withDatabase(listKeys);
  if (json) return print(JSON.stringify(keys));
  const rows = keys.map((key) => {
    const times = [key.createdAt, key.lastUsedAt, key.revokedAt].map(toTheMinute);
    return [key.name, key.scopes.join(" "), key.by, ...times];
  });
  if (rows.length > 0) print(table(headings, rows, values["no-heading"]));
  else console.error("There are no keys.");
});
