import { callCommand } from "@/__tests__/support/call-command";
import { reportLinkTarget } from "@/lib/cli/shared/sending";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const database = { DATABASE_URL: "postgresql://app@127.0.0.1:9/rent", APP_URL: "", SMTP_URL: "smtp://127.0.0.1:9" };
const operations = { ...database, DATABASE_URL: "", OPERATIONS_DATABASE_URL: database.DATABASE_URL };

test.each([
  ["invite --mobile 61412345678", database],
  ["invite --csv in.csv --out links.csv", database],
  ["links reissue K7QM-4XRT", database],
  ["links reissue --batch spring --unopened --out links.csv", database],
  ["applications contact K7QM-4XRT --email ada@mail.example", database],
  ["worker", database],
  ["invite --mobile 61412345678", operations],
])("on a database that a setting names, %s prints or sends no links without APP_URL", async (line, env) => {
  const [name = "", ...args] = line.split(" ");
  const refusal =
    "Links would lead to http://localhost:3000, which applicants cannot open. Set APP_URL to the address for applicants.\n";
  expect(await callCommand(name, args, env)).toEqual({ code: 1, out: "", err: refusal });
});

test("on the embedded database, without APP_URL, a warning says that links lead to this machine", () => {
  const error = jest.spyOn(console, "error").mockReturnValue();
  replaceSettings(readSettings({}));
  reportLinkTarget();
  replaceSettings(readSettings({ APP_URL: "http://localhost:3000" }));
  reportLinkTarget();
  const warning = "Links lead to this machine (http://localhost:3000). Set APP_URL to the address for applicants.";
  expect(error.mock.calls).toEqual([[warning]]);
});
