import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";

const { sql, operationsUrl } = freshDatabase();

test("operations stop, look up and lift it by command", async () => {
  const { id } = await invited();
  await sql(
    `INSERT INTO messages ("applicationId", kind, channel, recipient) VALUES ($1, 'reminder', 'sms', '61412000111')`,
    [id],
  );
  const run = (...args: string[]) => callCommand("suppressions", args, { DATABASE_URL: operationsUrl });
  expect((await run("check", "0412 000 111")).out).toBe("61412000111 is not stopped.\n");
  expect((await run("add", "+61", "412", "000", "111", "--by", "Ines", "--reason", "said so")).out).toBe(
    "No invitation and no reminder goes to 61412000111 any more. Cancelled what waited: 1.\n",
  );
  expect((await run("check", "0412000111")).out).toMatch(
    /^61412000111 is stopped since \d{4}-\d\d-\d\d \d\d:\d\d AE[DS]T by Ines: said so\.\n$/,
  );
  expect((await run("add", "0412000111")).out).toBe("61412000111 was stopped already.\n");
  expect((await run("remove", "0412000111")).out).toBe("Invitations and reminders may go to 61412000111 again.\n");
  expect((await run("remove", "0412000111")).out).toBe("61412000111 was not stopped.\n");
  expect(await run("add", "nobody")).toMatchObject({ code: 2, out: "" });
});
