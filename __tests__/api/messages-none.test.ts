import { consent } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { setStatus } from "@/lib/server/applications/set-status";

const { sql, operationsUrl } = freshDatabase();

test("with nothing set up, nothing becomes due, so that nothing goes out on the day that it is", async () => {
  const { token, reference } = await invited({ mobile: "61412345678", email: "ada@landlord.example" });
  await fillIn(token);
  await post(submitFinal, { token, data: consent });
  await setStatus(reference, "approved", { by: "Ines" });
  expect(await sql("SELECT kind FROM messages")).toEqual([]);
});

test.each([
  ["invite", ["--mobile", "61412345678", "--send"]],
  ["links", ["reissue", "K7QM-4XRT", "--send"]],
])("with nothing set up, %s --send says so and does nothing", async (name, args) => {
  const before = await sql("SELECT count(*) FROM links");
  const said = await callCommand(name, args, { DATABASE_URL: operationsUrl });
  expect(said).toMatchObject({ code: 1, out: "" });
  expect(said.err).toContain("Nothing is set up to send with: SMTP_URL or SMS_PROVIDER");
  expect(await sql("SELECT count(*) FROM links")).toEqual(before);
});
