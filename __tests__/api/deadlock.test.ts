import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { eraseApplication } from "@/lib/server/applications/erase";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";

const { sql, untilBlocked } = freshDatabase();
const terms = { expiresDays: 30, by: "Ines" };

test.each<[what: string, invite: () => Promise<{ reference: string }>, run: (reference: string) => Promise<unknown>]>([
  ["a revocation", invited, (reference) => revokeLinks(reference, "Ines")],
  ["a reissue", invited, (reference) => reissueLink(reference, terms)],
  ["a corrected contact", invited, (reference) => correctContact(reference, { email: "right@mail.example" }, terms)],
  ["an erasure", invited, (reference) => eraseApplication(reference, "Ines")],
  ["a decision", submitted, (reference) => setStatus(reference, "approved", { by: "Ines" })],
])("%s that loses a deadlock is repeated", async (_, invite, run) => {
  const { reference } = await invite();
  const eventsBefore = Number((await sql<{ count: string }>("SELECT count(*) FROM events"))[0]?.count);
  await sql("BEGIN");
  await sql("LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE");
  const done = run(reference);
  await untilBlocked();
  // The command has waited longer, so its deadlock check runs first, and Postgres cancels it.
  await sql("LOCK TABLE applications IN ACCESS EXCLUSIVE MODE");
  await sql("COMMIT");
  await done;
  const [{ count } = { count: "0" }] = await sql<{ count: string }>("SELECT count(*) FROM events");
  expect(Number(count)).toBeGreaterThan(eventsBefore);
});
