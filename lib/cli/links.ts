import { parseArgs } from "node:util";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { acting, byOption } from "./acting";
import { command, UsageError } from "./command";
import { withDatabase } from "./with-database";

const usage = `Withdraws or replaces the links of an application.

  npm run links -- revoke REFERENCE [--by NAME]
  npm run links -- reissue REFERENCE [--expires-days 30] [--json] [--by NAME]`;

function call() {
  const expiry = { "expires-days": { type: "string", default: "30" } } as const;
  const options = { ...byOption, ...expiry, json: { type: "boolean" } } as const;
  const { values, positionals } = parseArgs({ strict: true, allowPositionals: true, options });
  const [action, reference, ...rest] = positionals;
  const days = Number(values["expires-days"]);
  if (!reference || rest.length > 0) throw new UsageError("One action and one reference are needed.");
  if (!Number.isInteger(days) || days < 1 || days > 365)
    throw new Error("expires-days must be a whole number from 1 to 365");
  return { action, reference, days, json: values.json, by: acting(values.by) };
}

command(async () => {
  const { action, reference, days, json, by } = call();
  if (action === "revoke") {
    const count = await withDatabase(() => revokeLinks(reference, by));
    console.log(count === 1 ? "1 link revoked." : `${count} links revoked.`);
  } else if (action === "reissue") {
    const issued = await withDatabase(() => reissueLink(reference, days, by));
    console.log(
      json ? JSON.stringify(issued) : `Link         ${issued.link}\nValid until  ${issued.expiresAt.slice(0, 10)}`,
    );
  } else {
    throw new UsageError(`There is no action ${action}.`);
  }
}, usage);
