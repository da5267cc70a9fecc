import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { submitted } from "@/__tests__/support/submitted";

const { operationsUrl, sql, insertMessage } = freshDatabase();

const lastRead = () =>
  sql(
    `SELECT command, by, count, reference, "databaseUser" <> '' AS "isByLogin" FROM data_reads ORDER BY id DESC LIMIT 1`,
  );

let reference = "";
beforeAll(async () => {
  await invited({ email: "augusta1815@mail.example" });
  ({ reference } = await submitted({ email: "ada@mail.example" }));
  await insertMessage({ number: 7001, kind: "reminder", state: "failed" });
  await callCommand("keys", ["create", "--name", "crm"], { DATABASE_URL: operationsUrl });
});

const receiver = { WEBHOOK_URL: "http://127.0.0.1:9", WEBHOOK_SECRET: `whsec_${"A".repeat(32)}` };

test.each([
  ["applications", ["list"], "applications list", 2],
  ["applications", ["find", "augusta1815"], "applications find", 1],
  ["applications", ["show", "REFERENCE"], "applications show", 1],
  ["messages", ["list"], "messages list", expect.any(Number)],
  ["person", ["export", "REFERENCE"], "person export", 1],
  ["export", [], "export", null],
  ["status", ["REFERENCE", "approved", "--preview"], "status", 1],
  ["status", ["REFERENCE", "in-review"], "status", 1],
  ["suppressions", ["check", "ada@mail.example"], "suppressions check", 1],
  // These leave no event.
  ["suppressions", ["add", "gone@mail.example"], "suppressions add", 1],
  ["suppressions", ["remove", "gone@mail.example"], "suppressions remove", 1],
  ["keys", ["create", "--name", "other"], "keys create", null, "other"],
  ["keys", ["revoke", "crm"], "keys revoke", null, "crm"],
  ["messages", ["retry", "7001"], "messages retry", 1],
  ["messages", ["cancel", "7001"], "messages cancel", 1],
  ["messages", ["retry", "--state", "failed"], "messages retry", null],
  ["messages", ["bounces", "package.json"], "messages bounces", 1],
  ["messages", ["retry", "--channel", "webhook", "--since", "today"], "messages retry", null],
] as const)(
  "npm run %s -- %j records who reads, but not the search text",
  async (...[name, args, command, count, key]) => {
    const commandArgs = args.map((arg) => (arg === "REFERENCE" ? reference : arg));
    const env = { DATABASE_URL: operationsUrl, ...receiver };
    expect(await callCommand(name, [...commandArgs, "--by", "Ines"], env)).toMatchObject({ code: 0 });
    const named = key ?? (commandArgs.includes(reference) ? reference : "");
    expect(await lastRead()).toEqual([{ command, by: "Ines", count, reference: named, isByLogin: true }]);
  },
);

test("nobody can change or delete the record of a read", async () => {
  await callCommand("applications", ["list"], { DATABASE_URL: operationsUrl });
  await expect(sql("UPDATE data_reads SET by = ''")).rejects.toThrow("is never changed");
  await expect(sql("DELETE FROM data_reads")).rejects.toThrow("is never changed");
});
