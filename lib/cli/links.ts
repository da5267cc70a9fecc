import type { IssuedLink } from "@/lib/server/invitations/create-invitations";
import { expiresDaysSchema } from "@/lib/server/invitations/invitation";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { linkDays } from "@/lib/server/links/token";
import { command, parseArguments, UsageError, withDatabase } from "./command";
import { actorName, byOption, refuseOtherFlags } from "./options";
import { printAtOnce, printBeforeCommit, toTheMinute, withNoun } from "./output";
import { reissueBatch } from "./reissue-batch";
import { channelNames, reportLinkTarget, requireAppUrl, requireSending } from "./sending";

const usage = `Revokes or reissues the links of an application.

  npm run links -- revoke REFERENCE [--by NAME]
  npm run links -- reissue REFERENCE [--expires-days 30] [--send] [--json] [--by NAME]
      --send: also sends the invited address or number a message with a link: an invitation or, after submission, a
      confirmation or the status
  npm run links -- reissue --batch NAME --unopened --out LINKS [--expires-days 30] [--send] [--preview] [--by NAME]
      for everyone in a batch who has opened no link and submitted nothing, except people whose links were revoked or who have
      opted out. After a failure, run the same command again. --preview reports how many, and changes nothing.`;

const options = {
  ...byOption,
  json: { type: "boolean" },
  "expires-days": { type: "string" },
  batch: { type: "string" },
  unopened: { type: "boolean" },
  send: { type: "boolean" },
  preview: { type: "boolean" },
  out: { type: "string" },
} as const;

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options });
  const [action = "", reference, ...rest] = positionals;
  const { batch, out, unopened, json, send, preview } = values;
  const { data: days, error } = expiresDaysSchema.safeParse(values["expires-days"] ?? `${linkDays}`);
  if (error) throw new UsageError(`--expires-days ${error.issues[0]?.message}.`);
  if (action !== "revoke" && action !== "reissue") throw new UsageError("Choose revoke or reissue.");
  if (rest.length > 0) throw new UsageError("Give one reference.");
  const batchFlags = ["batch", "unopened", "out", "preview", "expires-days", "send"];
  refuseOtherFlags(action, values, { reissue: batch === undefined ? [...batchFlags, "json"] : batchFlags });
  if (send) requireSending();
  const reissueOptions = { expiresDays: Number(days), by: actorName(values.by), send };
  const isForOneApplication = batch === undefined && out === undefined && !unopened && !preview;
  if (isForOneApplication && reference) return { action, reference, json, ...reissueOptions };
  if (action === "reissue" && !reference && batch && unopened && (out || preview))
    return { batch, out, preview, ...reissueOptions };
  throw new UsageError("Give a reference or, for reissue, --batch and --unopened together with --out or --preview.");
}

export default command(module, usage, async (args) => {
  const request = readArguments(args);
  if ("batch" in request || request.action === "reissue") requireAppUrl();
  if ("batch" in request) {
    console.log(await withDatabase(() => reissueBatch(request)));
    return reportLinkTarget();
  }
  const { action, reference, json, ...reissueOptions } = request;
  if (action === "revoke") {
    const count = await withDatabase(() => revokeLinks(reference, reissueOptions.by));
    return console.log(`${withNoun(count, "link")} revoked.`);
  }
  const printLink = (issued: IssuedLink) =>
    printAtOnce([
      json ? JSON.stringify(issued) : `Link         ${issued.link}\nValid until  ${toTheMinute(issued.expiresAt)}`,
    ]);
  const issued = await withDatabase(() =>
    printBeforeCommit(printLink, (beforeCommit) => reissueLink(reference, { ...reissueOptions, beforeCommit })),
  );
  if (issued.sentBy) console.error(`A link will be sent by ${channelNames[issued.sentBy]} to the invited contact.`);
  reportLinkTarget();
});
