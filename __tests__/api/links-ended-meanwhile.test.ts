import { agent, consent, landlord, lease, wholeApplication } from "@/__tests__/support/answers";
import { fillIn, saves, submitFinal, submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { type Answer, post } from "@/__tests__/support/post";
import { eraseOld } from "@/lib/server/applications/erase";

const { sql, heldUp } = freshDatabase();

/** Statements by which operations end every link of an application. They commit while a call waits for their locks. */
const endings = {
  erasure: "SELECT erase_applications(ARRAY[$1::uuid], 'Ops')",
  revocation: `WITH locked AS MATERIALIZED (SELECT id FROM applications WHERE id = $1 FOR UPDATE)
    UPDATE links SET "revokedAt" = now() FROM locked WHERE "applicationId" = locked.id`,
  expiry: `WITH locked AS MATERIALIZED (SELECT id FROM applications WHERE id = $1 FOR UPDATE)
    UPDATE links SET "expiresAt" = now() FROM locked WHERE "applicationId" = locked.id`,
};
type Ending = keyof typeof endings;

/** Makes a call that finds its link valid, and then waits until the statement that ends the link commits. */
const during = (ending: Ending, id: string, call: () => Promise<Answer>) => heldUp(endings[ending], [id], call);

/** All personal data that the database stores for the application, as text. */
async function personalDataOf(id: string): Promise<string> {
  const rows = await sql(
    `SELECT to_jsonb(a)::text AS stored FROM applications a WHERE id = $1
     UNION ALL SELECT to_jsonb(e)::text FROM events e WHERE "applicationId" = $1
     UNION ALL SELECT to_jsonb(c)::text FROM consent_records c WHERE "applicationId" = $1
     UNION ALL SELECT to_jsonb(m)::text FROM messages m WHERE "applicationId" = $1`,
    [id],
  );
  return rows.map(({ stored }) => stored).join("\n");
}

const personal = [...Object.values(landlord), ...Object.values(agent), ...Object.values(lease)].filter(
  (value) => value.length > 4,
);

describe.each(Object.keys(endings) as Ending[])("a call that waits for the %s of its link", (ending) => {
  test.each([
    ...saves.map(({ name, handler, answers }) => ({ name, handler, data: answers as unknown })),
    { name: "submit", handler: submitWhole, data: wholeApplication },
    { name: "submit-final", handler: submitFinal, data: consent },
  ])("is refused with 401 and changes nothing: $name", async ({ handler, data }) => {
    const { id, token } = await invited();
    if (handler === submitFinal) await fillIn(token);
    const { status, body } = await during(ending, id, () => post(handler, { token, data }));
    expect([status, body.message]).toEqual([401, "Token verification failed"]);
    expect(await sql('SELECT status, "submittedAt" FROM applications WHERE id = $1', [id])).toEqual([
      { status: "draft", submittedAt: null },
    ]);
    expect(await sql('SELECT FROM consent_records WHERE "applicationId" = $1', [id])).toEqual([]);
    if (ending === "erasure" || handler !== submitFinal) {
      const stored = await personalDataOf(id);
      expect(personal.filter((value) => stored.includes(value))).toEqual([]);
    }
  });
});

test("an opening that waits for an erasure leaves neither its address nor an event", async () => {
  const { id, token } = await invited();
  const { status } = await during("erasure", id, () => post(verify, { token }));
  expect(status).toBe(401);
  expect(await sql(`SELECT kind FROM events WHERE "applicationId" = $1 ORDER BY id`, [id])).toEqual([
    { kind: "link_issued" },
    { kind: "erased" },
  ]);
});

const late = "grace@harbour.example.com";
test.each([
  ["an answer", `UPDATE applications SET "managerEmail" = '${late}' WHERE id = $1`],
  ["a value of the invitation", `UPDATE applications SET "invitedManagerEmail" = '${late}' WHERE id = $1`],
  [
    "the recipient of a message",
    // A transaction that began before the erasure inserts this message.
    `INSERT INTO messages ("applicationId", kind, channel, recipient, "createdAt")
     VALUES ($1, 'reminder', 'email', '${late}', now() - interval '1 minute')`,
  ],
])("retention finds %s that was written after an erasure, once", async (_, write) => {
  const { id } = await invited();
  await sql("SELECT erase_applications(ARRAY[$1::uuid], 'Ops')", [id]);
  await sql(write, [id]);
  const age = () => sql(`UPDATE applications SET "updatedAt" = now() - interval '25 months' WHERE id = $1`, [id]);
  await age();
  expect(await eraseOld("draft", 24, "Ops")).toBe(1);
  expect(await personalDataOf(id)).not.toContain(late);
  await age();
  expect(await eraseOld("draft", 24, "Ops")).toBe(0);
});
