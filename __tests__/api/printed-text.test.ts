import { consent } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { printable } from "@/lib/cli/output";

const { appUrl, sql } = freshDatabase();

test("a browser's name is stored without what a terminal obeys", async () => {
  const { token, id } = await invited();
  await fillIn(token);
  const headers = { "user-agent": "Phone \u009b31m\u0085 1.0" };
  expect((await post(submitFinal, { token, data: consent }, { headers })).status).toBe(200);
  expect(await sql(`SELECT "userAgent" FROM consent_records WHERE "applicationId" = $1`, [id])).toEqual([
    { userAgent: "Phone 31m 1.0" },
  ]);
});

test("what was stored earlier does not command the operator's terminal", async () => {
  const { id, reference } = await invited({ mobile: "61412345678" });
  const evil = "red\u009b31m\u001b]0;title\u0007";
  await sql(`UPDATE applications SET "firstName" = $1, mobile = '61412345678' WHERE id = $2`, [evil, id]);
  await sql(`INSERT INTO events ("applicationId", kind, detail) VALUES ($1, 'link_opened', $2)`, [id, evil]);
  await sql(`INSERT INTO messages ("applicationId", kind, channel, error) VALUES ($1, 'status', 'email', $2)`, [
    id,
    evil,
  ]);
  for (const [name, ...args] of [
    ["applications", "list"],
    ["applications", "list", "--json"],
    ["applications", "show", reference],
    ["applications", "show", reference, "--json"],
    ["messages", "list"],
    ["messages", "list", "--json"],
    ["person", "export", reference],
    ["export"],
  ] as const) {
    const { out, code } = await callCommand(name, [...args], { DATABASE_URL: appUrl });
    expect([name, args, code, out.match(/(?![\n\r\t])\p{Cc}/gu)]).toEqual([name, args, 0, null]);
    expect(out).toContain(reference);
  }
});

test("JSON is the same JSON", () => {
  const value = { text: "a\u009bb\u202e\u007f\n" };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
