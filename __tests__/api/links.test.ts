import { agent, consent, landlord, lease, wholeApplication } from "@/__tests__/support/answers";
import { fillIn, opened, saves, submitFinal, submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { endings } from "@/__tests__/support/endings";
import { invited } from "@/__tests__/support/invited";
import { arrive, type CallResponse, post } from "@/__tests__/support/post";
import { realTimers } from "@/__tests__/support/real-timers";
import { makeReference } from "@/lib/domain/reference";
import { eraseOld } from "@/lib/server/applications/erase";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationSchema } from "@/lib/server/invitations/invitation";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";

jest.mock("@/lib/domain/reference", () => {
  const actual = jest.requireActual("@/lib/domain/reference");
  return { ...actual, makeReference: jest.fn(actual.makeReference) };
});

const { sql, column, countRows, blockedBy } = freshDatabase();
const invitation = invitationSchema.parse({ mobile: "61412345678" });

// Each reissue locks the application first, and so revokes the link of the one before.
test("a revocation waits for a link that is being issued, and revokes it too", async () => {
  const { id, reference } = await invited();
  const issue = `WITH locked AS (SELECT id FROM applications WHERE id = $1 FOR UPDATE)
    INSERT INTO links ("applicationId", "expiresAt") SELECT id, now() + interval '1 day' FROM locked`;
  expect(await blockedBy(issue, [id], () => revokeLinks(reference, "Ops"))).toBe(2);
});

test.each([
  ["phone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Mobile/15E148 Safari/604.1"],
  ["phone", "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0 Mobile Safari/537.36"],
  ["tablet", "Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) Mobile/15E148 Safari/604.1"],
  ["computer", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36"],
  [null, ""],
])("the first call with a link's token records that it was opened on a %s", async (device, agent) => {
  const [verified, reported] = [await invited(), await invited()];
  for (const [{ token }, handler] of [
    [verified, verify],
    [reported, opened],
  ] as const) {
    await post(handler, { token }, { headers: { "user-agent": agent } });
    await post(handler, { token }, { headers: { "user-agent": "another" } });
  }
  const links = `SELECT device FROM links WHERE "applicationId" IN ($1, $2) AND "openedAt" IS NOT NULL`;
  expect(await sql(links, [verified.id, reported.id])).toEqual([{ device }, { device }]);
});

test("rendering a link's page records no opening, and tells the page whether to report one", async () => {
  const { id, token } = await invited();
  expect(await arrive(token)).toMatchObject({ isOpened: false });
  const records = `SELECT FROM events WHERE "applicationId" = $1 AND kind = 'link_opened'
    UNION ALL SELECT FROM links WHERE "applicationId" = $1 AND "openedAt" IS NOT NULL`;
  expect(await sql(records, [id])).toHaveLength(0);
  await post(opened, { token });
  expect(await arrive(token)).toMatchObject({ isOpened: true });
  expect(await sql(records, [id])).toHaveLength(2);
});

test("a reference that is taken is replaced by another, and no other error is retried", async () => {
  const before = await countRows("link_tokens");
  const [first] = await createInvitations([invitation]);
  jest.mocked(makeReference).mockReturnValueOnce(first?.reference ?? "");
  const issued = await createInvitations([invitation, invitation]);
  expect(new Set([first, ...issued].map((link) => link?.reference)).size).toBe(3);
  expect(await countRows("link_tokens")).toBe(before + 3);
  jest.mocked(makeReference).mockClear();
  await expect(createInvitations([{ ...invitation, quotes: ["many"] }])).rejects.toThrow();
  expect(makeReference).toHaveBeenCalledTimes(1);
});

test("an invitation fails after twenty references that are taken", async () => {
  const [first] = await createInvitations([invitation]);
  const actual = jest.mocked(makeReference).getMockImplementation();
  jest.mocked(makeReference).mockClear();
  jest.mocked(makeReference).mockImplementation(() => first?.reference ?? "");
  try {
    await expect(createInvitations([invitation])).rejects.toThrow();
    expect(makeReference).toHaveBeenCalledTimes(20);
  } finally {
    if (actual) jest.mocked(makeReference).mockImplementation(actual);
  }
});

test("more rows than one INSERT takes are invited at once, or none", async () => {
  const before = await countRows("applications");
  const many = Array.from({ length: 601 }, () => invitation);
  expect(new Set((await createInvitations(many)).map(({ reference }) => reference)).size).toBe(601);
  expect(await countRows("applications")).toBe(before + 601);
  const invalid = { ...invitation, source: "x".repeat(100), quotes: ["99999999999999"] };
  await expect(createInvitations([...many, invalid])).rejects.toThrow();
  expect(await countRows("applications")).toBe(before + 601);
});

test("a machine with a wrong clock issues links that work: the database's clock counts", async () => {
  jest.useFakeTimers({ now: new Date("2020-01-01"), doNotFake: realTimers });
  try {
    const [issued] = await createInvitations([invitation]);
    expect((await post(verify, { token: issued?.token })).status).toBe(200);
    const reissued = await reissueLink(issued?.reference ?? "", { expiresDays: 30, by: "" });
    expect((await post(verify, { token: reissued.token })).status).toBe(200);
  } finally {
    jest.useRealTimers();
  }
});

const allEndings = {
  ...endings,
  expiry: `WITH locked AS MATERIALIZED (SELECT id FROM applications WHERE id = $1 FOR UPDATE)
    UPDATE links SET "expiresAt" = now() FROM locked WHERE "applicationId" = locked.id`,
};
type Ending = keyof typeof allEndings;

/** Makes a call that finds its link valid, and then waits until the statement that ends the link commits. */
const during = (ending: Ending, id: string, call: () => Promise<CallResponse>) =>
  blockedBy(allEndings[ending], [id], call);

/** All personal data that the database stores for the application, as text. */
async function personalDataOf(id: string): Promise<string> {
  const rows = `SELECT to_jsonb(a)::text FROM applications a WHERE id = $1
    UNION ALL SELECT to_jsonb(e)::text FROM events e WHERE "applicationId" = $1
    UNION ALL SELECT to_jsonb(c)::text FROM consent_records c WHERE "applicationId" = $1
    UNION ALL SELECT to_jsonb(m)::text FROM messages m WHERE "applicationId" = $1`;
  return (await column(rows, [id])).join("\n");
}

/** Without short numbers, which a random id may contain as well. */
const personal = Object.values({ ...landlord, ...agent, ...lease }).filter((value) => value.length > 5);

describe.each(Object.keys(allEndings) as Ending[])("a call that waits for the %s of its link", (ending) => {
  test.each([
    ...saves.map(({ name, handler, answers }) => ({ name, handler, data: answers as unknown })),
    { name: "submit", handler: submitWhole, data: wholeApplication },
    { name: "submit-final", handler: submitFinal, data: consent },
  ])("$name is refused with 401 and changes nothing", async ({ handler, data }) => {
    const { id, token } = await invited();
    if (handler === submitFinal) await fillIn(token);
    const { status, body } = await during(ending, id, () => post(handler, { token, data }));
    expect([status, body.message]).toEqual([401, "Token verification failed"]);
    const [stored] = await sql('SELECT status, "submittedAt" FROM applications WHERE id = $1', [id]);
    expect(stored).toEqual({ status: "draft", submittedAt: null });
    expect(await sql('SELECT FROM consent_records WHERE "applicationId" = $1', [id])).toEqual([]);
    const isFilledIn = handler === submitFinal && ending !== "erasure";
    const found = isFilledIn ? "" : await personalDataOf(id);
    expect(personal.filter((value) => found.includes(value))).toEqual([]);
  });
});

test("an opening that waits for an erasure leaves neither its address nor an event", async () => {
  const { id, token } = await invited();
  const { status } = await during("erasure", id, () => post(verify, { token }));
  expect(status).toBe(401);
  const kinds = await column(`SELECT kind FROM events WHERE "applicationId" = $1 ORDER BY id`, [id]);
  expect(kinds).toEqual(["link_issued", "erased"]);
});

const late = "grace@harbour.example.com";
/** A transaction that began before the erasure inserts this message. */
const lateMessage = `INSERT INTO messages ("applicationId", kind, channel, recipient, "createdAt")
  VALUES ($1, 'reminder', 'email', '${late}', now() - interval '1 minute')`;

test.each([
  ["an answer", `UPDATE applications SET "managerEmail" = '${late}' WHERE id = $1`],
  ["a value of the invitation", `UPDATE applications SET "invitedManagerEmail" = '${late}' WHERE id = $1`],
  ["the recipient of a message", lateMessage],
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
