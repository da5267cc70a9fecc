import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consent, landlord } from "@/__tests__/support/answers";
import { fillIn, saveLandlord, submitFinal, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { runCommand } from "@/__tests__/support/run-command";

jest.setTimeout(30_000);

const { operationsUrl } = freshDatabase();
const run = (...args: string[]) =>
  runCommand("person", args, {
    DATABASE_URL: "postgresql://nobody@127.0.0.1:9/nothing",
    OPERATIONS_DATABASE_URL: operationsUrl,
  });

async function submitted(firstName = "Ada") {
  const invitation = await invited({ lastName: "Invitedname" });
  await fillIn(invitation.token);
  await post(saveLandlord, { token: invitation.token, data: { ...landlord, firstName } });
  await post(submitFinal, { token: invitation.token, data: consent });
  return invitation;
}

test("export prints all that is held on a person as JSON, and no hash of a token", async () => {
  const { reference } = await submitted();
  const { code, out } = await run("export", reference.toLowerCase());
  const held = JSON.parse(out);
  expect(code).toBe(0);
  expect(held).toMatchObject({ reference, application: { firstName: "Ada", invitedLastName: "Invitedname" } });
  expect(held.consent_records).toHaveLength(1);
  expect(held.links).toHaveLength(1);
  expect(held.events.map(({ kind }: { kind: string }) => kind)).toContain("submitted");
  expect(out).not.toContain("tokenHash");
});

test("export writes a page to print, for its user alone, in which nothing is markup", async () => {
  const { reference } = await submitted('<b>Ada & "Co"</b>');
  const folder = mkdtempSync(join(tmpdir(), "held-"));
  const file = join(folder, "held.html");
  expect(await run("export", reference, "--html", file)).toMatchObject({ code: 0, out: `Wrote ${file}.\n` });
  const page = readFileSync(file, "utf8");
  expect(page).toContain("<dt>Full name</dt><dd>&lt;b&gt;Ada &amp; &quot;Co&quot;&lt;/b&gt;</dd>");
  expect(page).toContain("<dt>Invited last name</dt><dd>Invitedname</dd>");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await run("export", reference, "--html", file)).code).toBe(1);
  rmSync(folder, { recursive: true });
});

test("erase removes the person, also after submission, and the link opens nothing any more", async () => {
  const { reference, token } = await submitted();
  expect((await run("erase", reference, "--by", "Vera")).out).toContain(`erased from ${reference}`);
  const { out } = await run("export", reference);
  expect(out).not.toMatch(/Ada|Invitedname|ada@|0\.0\.0\.0|127\.0\.0\.1/);
  const held = JSON.parse(out);
  expect(held.application).toMatchObject({ reference, status: "submitted", firstName: "" });
  expect(held.consent_records[0]).toMatchObject({ userAgent: "", confirmLoan: true });
  expect(held.events.at(-1)).toMatchObject({ kind: "erased", by: "Vera" });
  expect((await post(verify, { token })).status).toBe(401);
});

test.each<[code: number, ...args: string[]]>([
  [2],
  [2, "export"],
  [2, "forget", "K7QM-4XRT"],
  [2, "erase", "K7QM-4XRT", "--html", "x"],
  [1, "export", "AAAA-AAAA"],
])("ended with %d, called as person %j %j, it says what is wrong", async (expected, ...args) => {
  const { code, out, err } = await run(...args);
  expect([code, out]).toEqual([expected, ""]);
  expect(err).toMatch(/npm run|There is no application/);
});
