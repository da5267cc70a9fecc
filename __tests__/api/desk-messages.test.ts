import { freshDatabase } from "@/__tests__/support/database";
import {
  countOutstanding,
  listOutstanding,
  outstandingPerPage,
  pauseOf,
} from "@/lib/server/delivery/outstanding-messages";
import { addOptOut, checkOptOut, removeOptOut } from "@/lib/server/invitations/opt-outs";
import { messageInWords } from "@/lib/server/outbox/message-words";
import { reasonInWords } from "@/lib/server/outbox/reason-words";

const { sql, insertMessage } = freshDatabase();
beforeEach(() => sql("DELETE FROM message_attempts; DELETE FROM messages"));

const write = (number: number, state: string, error = "", dueAt = "2026-11-22T06:00:00Z") =>
  insertMessage({ number, kind: "reminder", state, error, dueAt });

test("failed and unknown messages are listed, and waiting ones once they are due or were tried", async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  await write(1, "failed", "550 5.1.1");
  await write(2, "unknown", "the worker ended");
  await write(3, "waiting");
  await write(4, "waiting", "ECONNREFUSED", later);
  await write(5, "waiting", "", later);
  await write(6, "sent");
  const numbers = async (state: "failed" | "unknown" | "waiting") =>
    (await listOutstanding(state)).messages.map(({ number }) => number);
  expect([await numbers("failed"), await numbers("unknown"), await numbers("waiting")]).toEqual([[1], [2], [4, 3]]);
  expect(await countOutstanding("waiting")).toEqual([
    ["email", 2],
    ["sms", 0],
    ["webhook", 0],
  ]);
});

test.each([
  ["email", "mei@mail.example", "Invitation by email to mei@mail.example"],
  ["sms", "61412345678", "Invitation by SMS to +61412345678"],
  ["sms", null, "Invitation by SMS"],
  ["webhook", null, "Invitation"],
])("a message by %s to %p is '%s' at the desk", (channel, recipient, words) => {
  expect(messageInWords({ kind: "invitation", channel, recipient })).toBe(words);
});

test("a message about a status names it as the page does", () => {
  expect(messageInWords({ kind: "status", channel: "webhook", detail: "in-review" })).toBe("Status update (In review)");
});

test("pages continue where the one before has ended, among messages of the same time too", async () => {
  await sql(
    `INSERT INTO messages (number, kind, channel, state, "dueAt")
    SELECT n, 'reminder', 'email', 'failed', '2026-11-22T06:00:00Z' FROM generate_series(1, $1::int) AS n`,
    [outstandingPerPage + 2],
  );
  const first = await listOutstanding("failed");
  const second = await listOutstanding("failed", first.next);
  expect(second.messages.map(({ number }) => number)).toEqual([2, 1]);
  expect([first.messages.length, second.next]).toEqual([outstandingPerPage, undefined]);
});

const attempts = async (...ended: [outcome: string, error: string][]) => {
  const { id } = await write(90, "waiting");
  for (const [index, [outcome, error]] of ended.entries())
    await sql(
      `INSERT INTO message_attempts ("messageId", at, "contactedAt", "endedAt", outcome, error)
       VALUES ($1, now() - make_interval(secs => $2), now(), now(), $3, $4)`,
      [id, index, outcome, error],
    );
};

test.each<[string, [string, string][], string]>([
  ["no provider was reached", [["later", "ECONNREFUSED"]], "ECONNREFUSED"],
  ["one recipient's server puts a message off", [["later", "450 4.2.0"]], ""],
  ["every message is put off alike", [...Array(3)].map(() => ["later", "550 5.7.1"]), "550 5.7.1"],
  [
    "the last message went out",
    [
      ["sent", ""],
      ["later", "ECONNREFUSED"],
    ],
    "",
  ],
])("%s: the pause is %j", async (_, ended, error) => {
  await attempts(...ended);
  expect(await pauseOf("email")).toBe(error);
});

test("reasons are in words, with the code for the engineer", () => {
  expect(reasonInWords("550 5.1.1")).toBe("There is no such mailbox. (550 5.1.1)");
  expect(reasonInWords("ECONNREFUSED")).toBe("The connection to the provider failed. (ECONNREFUSED)");
  expect(reasonInWords("submitted")).toBe("The application has been submitted.");
  expect(reasonInWords("the status has changed")).toBe("The status has changed.");
  expect(reasonInWords("not known here")).toBe("It did not go out: not known here.");
  expect(reasonInWords("the worker ended")).toBe("The worker stopped in the middle. The message may have arrived.");
  expect(reasonInWords("no response")).toBe("The provider did not confirm it. The message may have arrived.");
  expect(reasonInWords("by Vera")).toBe("Cancelled by Vera.");
});

test.each(["for ada@b.example", "her other number is +61 412 345 678", "tel ０４１２３４５６７８", "a＠b.example"])(
  "a reason that names a contact is refused: %s",
  async (why) => {
    const run = { by: "Vera", command: "desk opt-outs remove", why };
    const contact = { channel: "email", recipient: "ada@b.example" } as const;
    await expect(addOptOut(contact, run)).rejects.toThrow("it is kept for good");
    await expect(removeOptOut(contact, run)).rejects.toThrow("it is kept for good");
  },
);

test("an opt-out is added, looked up and removed, each with the person, the removal with its reason", async () => {
  // The desk runs as operations.
  await sql("GRANT DELETE ON suppressions TO PUBLIC");
  const contact = { channel: "email", recipient: "ada@b.example" } as const;
  const by = "robin@lender.example";
  await addOptOut(contact, { by, command: "desk opt-outs add", why: "asked by phone" });
  expect(await checkOptOut(contact, { by, command: "desk opt-outs look up" })).toMatch(
    /stopped since .* by robin@lender\.example: asked by phone\.$/,
  );
  expect(await removeOptOut(contact, { by, command: "desk opt-outs remove", why: "asked again" })).toBe(
    "Invitations and reminders may go to ada@b.example again.",
  );
  expect(await sql("SELECT by, command FROM data_reads ORDER BY id")).toEqual([
    { by, command: "desk opt-outs add" },
    { by, command: "desk opt-outs look up" },
    { by, command: "desk opt-outs remove: asked again" },
  ]);
});

test("a reason may have a date or the number of a ticket", async () => {
  const contact = { channel: "email", recipient: "dated@b.example" } as const;
  const run = { by: "Vera", command: "desk opt-outs add", why: "asked on 2026-11-28, ticket 104233" };
  await expect(addOptOut(contact, run)).resolves.toContain("dated@b.example");
});
