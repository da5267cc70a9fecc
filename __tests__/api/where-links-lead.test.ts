import { callCommand } from "@/__tests__/support/call-command";
import { isOnThisMachine } from "@/lib/server/db/database-url";

const elsewhere = { DATABASE_URL: "postgresql://app@db.example/rent", APP_URL: "", SMTP_URL: "smtp://127.0.0.1:9" };

test.each([
  ["invite --mobile 61412345678", elsewhere],
  ["invite --csv in.csv --out links.csv", elsewhere],
  ["links reissue K7QM-4XRT", elsewhere],
  ["links reissue --batch spring --unopened --out links.csv", elsewhere],
  ["applications contact K7QM-4XRT --email ada@mail.example", elsewhere],
  ["worker", elsewhere],
  ["invite --mobile 61412345678", { ...elsewhere, DATABASE_URL: "", OPERATIONS_DATABASE_URL: elsewhere.DATABASE_URL }],
])("without APP_URL, %s prints or sends no links to this machine for a database elsewhere", async (line, env) => {
  const [name = "", ...args] = line.split(" ");
  const refusal =
    "The database is on another machine, but links would lead to http://localhost:3000: set APP_URL to the address for applicants.\n";
  expect(await callCommand(name, args, env)).toEqual({ code: 1, out: "", err: refusal });
});

test.each([
  ["postgresql://app@localhost/rent", true],
  ["postgresql://app@127.0.0.1:5433/rent", true],
  ["postgresql://app@127.1.2.3/rent", true],
  ["postgresql://app@[::1]/rent", true],
  ["postgresql:///rent?user=app&host=/var/run/postgresql", true],
  ["postgresql:///rent?host=%2Ftmp", true],
  ["postgresql://app@db/rent", false],
  ["postgresql://app@10.0.0.7/rent", false],
  ["postgresql://app@localhost.example/rent", false],
  ["postgresql://app@localhost/rent?host=db.example", false],
])("whether %s is on this machine: %s", (url, expected) => {
  expect(isOnThisMachine(url)).toBe(expected);
});
