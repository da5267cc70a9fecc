import { command, withDatabase } from "@/lib/cli/shared/command";
import { type Flags, UsageError, type Values } from "@/lib/cli/shared/flags";
import { actorName, byOption, jsonOption, previewOption, yesOption } from "@/lib/cli/shared/options";
import { onDesk, printAtOnce, printBeforeCommit, withNoun } from "@/lib/cli/shared/output";
import { channelNames, reportLinkTarget } from "@/lib/cli/shared/sending";
import { toTheMinute } from "@/lib/server/brand-time";
import type { IssuedLink } from "@/lib/server/invitations/create-invitations";
import { expiresDaysSchema } from "@/lib/server/invitations/invitation";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { linkDays } from "@/lib/server/links/token";
import { requireAppUrl, requireSending } from "@/lib/server/sending-settings";
import { reissueBatch } from "./reissue-batch";
import { revokeBatch } from "./revoke-batch";

const usage = `Revokes or reissues links.

  bin/rent links revoke REFERENCE
  bin/rent links revoke --batch NAME
      every link of a batch, opened or not. On a terminal it says how many, and asks for confirmation.
  bin/rent links reissue REFERENCE
  bin/rent links reissue --batch NAME --unopened --out LINKS
      for everyone in a batch who has opened no link and submitted nothing, except people whose links were revoked or who have
      opted out. After a failure, run the same command again.`;

const inReissue = { for: ["reissue"] } as const;

const flags = {
  batch: { type: "string", value: "NAME", help: "everyone in this batch" },
  ...previewOption,
  yes: { ...yesOption.yes, for: ["revoke"] },
  unopened: { type: "boolean", ...inReissue, help: "only people who have opened no link" },
  out: {
    type: "string",
    value: "LINKS",
    isPath: true,
    ...inReissue,
    help: "writes the links to this file, or continues it",
  },
  send: {
    type: "boolean",
    ...inReissue,
    help: "also sends a message with a link: an invitation or, after submission, a confirmation or the status",
  },
  "expires-days": { type: "string", value: `${linkDays}`, ...inReissue, help: "how long the new link works" },
  json: { ...jsonOption.json, ...inReissue },
  ...byOption,
} as const satisfies Flags;

function readArguments(values: Values<typeof flags>, [action, reference, ...rest]: string[]) {
  const { batch, out, unopened, json, send, preview, yes } = values;
  const { data: days, error } = expiresDaysSchema.safeParse(values["expires-days"] ?? `${linkDays}`);
  if (error) throw new UsageError(`--expires-days ${error.issues[0]?.message}.`);
  if (action !== "revoke" && action !== "reissue") throw new UsageError("Choose revoke or reissue.");
  if (rest.length > 0) throw new UsageError("Give one reference.");
  if (json && batch !== undefined) throw new UsageError("--json cannot be used with --batch.");
  if (send) requireSending();
  const by = actorName(values.by);
  const options = { expiresDays: Number(days), by, send };
  const isForOneApplication = batch === undefined && out === undefined && !unopened && !preview && !yes;
  if (action === "revoke") {
    if (isForOneApplication && reference) return { action, reference, by } as const;
    if (!reference && batch) return { action, batch, preview, yes, by } as const;
    throw new UsageError("Give a reference, or --batch without one.");
  }
  if (isForOneApplication && reference) return { action, reference, json, ...options } as const;
  if (!reference && batch && unopened && (out || preview)) return { action, batch, out, preview, ...options } as const;
  throw new UsageError("Give a reference, or --batch and --unopened together with --out or --preview.");
}

export default command(module, { usage, flags, takesWords: true }, async ({ values, words }) => {
  const request = readArguments(values, words);
  if (request.action === "revoke") {
    if (request.batch !== undefined) return withDatabase(() => revokeBatch(request));
    const count = await withDatabase(() => revokeLinks(request.reference, request.by));
    return console.log(`${withNoun(count, "link")} revoked.`);
  }
  requireAppUrl();
  if (request.batch !== undefined) {
    console.log(await withDatabase(() => reissueBatch(request)));
    return reportLinkTarget();
  }
  const { reference, json, ...options } = request;
  const printLink = (issued: IssuedLink) =>
    printAtOnce([
      json
        ? JSON.stringify(issued)
        : `Link         ${issued.link}\nValid until  ${toTheMinute(issued.expiresAt)}${onDesk(issued.reference)}`,
    ]);
  const issued = await withDatabase(() =>
    printBeforeCommit(printLink, (beforeCommit) => reissueLink(reference, { ...options, beforeCommit })),
  );
  if (issued.sentBy) console.error(`A link will be sent by ${channelNames[issued.sentBy]} to the invited contact.`);
  reportLinkTarget();
});
