import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";
import { isOnThisMachine } from "@/lib/server/db/database-url";

const commands = [
  ["invite", "--mobile", "61412345678"],
  ["invite", "--csv", "in.csv", "--out", "links.csv"],
  ["links", "reissue", "K7QM-4XRT"],
  ["links", "reissue", "--batch", "spring", "--unopened", "--out", "links.csv"],
  ["applications", "contact", "K7QM-4XRT", "--email", "ada@mail.example"],
  ["worker"],
];

test("without APP_URL, nothing prints or sends links to this machine for a database elsewhere", async () => {
  const env = { DATABASE_URL: "postgresql://app@db.example/rent", APP_URL: "", SMTP_URL: "smtp://127.0.0.1:9" };
  const said = await several(commands.length, 3, (n) => {
    const [name = "", ...args] = commands[n] ?? [];
    return runCommand(name, args, env);
  });
  const refusal =
    "The database is on another machine, and links would lead to http://localhost:3000: set APP_URL to the address for applicants.\n";
  expect(said).toEqual(commands.map(() => ({ code: 1, out: "", err: refusal })));

  const operations = { ...env, DATABASE_URL: "", OPERATIONS_DATABASE_URL: "postgresql://operations@db.example/rent" };
  const [name = "", ...args] = commands[0] ?? [];
  expect(await runCommand(name, args, operations)).toEqual({ code: 1, out: "", err: refusal });
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
])("%s: on this machine is %s", (url, expected) => {
  expect(isOnThisMachine(url)).toBe(expected);
});
