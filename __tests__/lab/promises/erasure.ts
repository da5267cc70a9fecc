import { dumpOf } from "@/__tests__/lab/promises/support/dump";
import { same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { wholeApplication } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call } from "@/__tests__/support/processes/call";
import { runCommand } from "@/__tests__/support/run-command";

/** No other promise stores these values, because the whole dump is searched for them. */
const values = {
  firstName: "Linnetta",
  lastName: "Linnetsmith",
  email: "linnet@secret.example",
  mobile: "61455500077",
  propertyAddress: "99 Linnet Row",
  agencyName: "Linnet Homes",
  managerFirstName: "Linneto",
  managerLastName: "Linnetovic",
  contactNumber: "61255500088",
  managerEmail: "agent@linnet.example",
  approval: "LINNET-99",
  invoiceAmount: "2713.37",
  currentRent: "413.79",
};
const from = { "x-forwarded-for": "203.0.113.77", "user-agent": "LinnetBrowser/7" };
const personal = [...Object.values(values), from["x-forwarded-for"], from["user-agent"]];

/** Returns the personal values that occur in a dump or a log. */
const personalIn = (text: string) => personal.filter((value) => text.includes(value));

promise(39, async ({ start, database, users, postgres }) => {
  const app = await start({ settings: { LOG_LEVEL: "debug", DATABASE_TIMEOUT_MS: "15000" } });
  const person = (action: string, ...args: string[]) =>
    runCommand("person", [action, reference, ...args], { OPERATIONS_DATABASE_URL: users.operations });
  const answers = { ...values, source: "ia" };
  const { token, reference } = await invited(answers, { source: "ia" });
  const submitted = await call(app, "submit", { token, data: { ...wholeApplication, ...answers } }, from);
  same(submitted.status, 200, "status of the submission");
  same(personalIn(JSON.stringify(await dumpOf(database))), personal, "values in a dump before the erasure");
  same(personalIn((await person("export")).out), personal, "values in what a person is given");
  same((await person("erase", "--by", "Vera")).code, 0, "exit code of the erasure");
  await app.end("SIGTERM");
  for (const [where, text] of Object.entries({
    "a dump": JSON.stringify(await dumpOf(database)),
    "the app's log": app.output(),
    "Postgres's log": postgres.log(),
  }))
    same(personalIn(text), [], `values in ${where} after the erasure`);
  return `a person erased after submission: ${personal.length} values in a dump before, 0 after, 0 in the logs`;
});
