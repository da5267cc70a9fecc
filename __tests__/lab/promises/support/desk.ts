import type { World } from "@/__tests__/lab/promises/support/world";
import { cookiesOf, signIn } from "@/__tests__/support/desk";
import { invited } from "@/__tests__/support/invited";
import { freePort } from "@/__tests__/support/processes/app";
import { openSignInProvider } from "@/lib/development/sign-in-provider";
import { clerk } from "@/lib/development/staff";

export type Fields = Record<string, string>;
export type Person = "Casey" | "Robin";
/** Starts the desk. Ending it and starting it again at the same address keeps the sessions. */
export async function openDesk({ start, after, users }: World) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await openSignInProvider(url);
  after(() => provider.close());
  process.env.DESK_URL = url;
  const own = { RENT_PROCESS: "desk", DESK_PORT: String(port), DESK_HOST: "127.0.0.1", DESK_URL: url };
  const sending = { SMTP_URL: "smtp://127.0.0.1:9", APP_URL: "http://localhost:3000", RATE_LIMIT_FACTOR: "100" };
  // Without NODE_OPTIONS its connections are not recorded: it asks the provider.
  const common = {
    ...own,
    ...sending,
    ...provider.settings,
    NODE_OPTIONS: "",
    OPERATIONS_DATABASE_URL: users.operations,
  };
  return (settings: Fields = {}) => start({ port, settings: { ...common, ...settings } });
}

/** A browser of a person who has signed in, and its cookies. */
export async function signedIn({ device }: World, person: Person) {
  const page = await (await device()).newPage();
  await signIn(page, person);
  return { page, cookie: await cookiesOf(page) };
}

let mobiles = 61_400_000_000;

/** An application with what its page would send, as it is now. */
export async function application(world: World, state: "draft" | "submitted" | "in-review", isTaken = false) {
  const mobile = String(mobiles++);
  const { id, reference } = await invited({ firstName: "Ada", email: `${mobile}@mail.example`, mobile });
  const submit = `UPDATE applications SET status = 'submitted', "submittedAt" = now(), email = "invitedEmail" WHERE id = $1`;
  if (state !== "draft") await world.sql(submit, [id]);
  const shown = () => shownOf(world, id);
  if (isTaken) await world.sql(`UPDATE applications SET "takenBy" = $2 WHERE id = $1`, [id, clerk]);
  if (state === "in-review") await world.sql("SELECT set_application_status($1, 'in_review', 'Vera', '')", [id]);
  return { id, reference, mobile, shown };
}

async function shownOf({ sql }: World, id: string): Promise<Fields> {
  const [row] = await sql(
    `SELECT reference, replace(status::text, '_', '-') AS status, "takenBy", "updatedAt", "erasedAt",
      (SELECT max(e.id)::text FROM events e WHERE e."applicationId" = a.id) AS version FROM applications a WHERE id = $1`,
    [id],
  );
  const erasedAt = row.erasedAt?.toISOString() ?? "";
  return { ...row, updatedAt: row.updatedAt.toISOString(), erasedAt, isErased: "false" };
}
