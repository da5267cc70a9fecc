import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { consent, wholeApplication } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { allCalls, call, fillIn, newAddress, send } from "@/__tests__/support/processes/call";

const canaries = {
  firstName: "Canaryna",
  lastName: "Canarysmith",
  email: "canary@secret.example",
  mobile: "61455500011",
  propertyAddress: "77 Canary Row",
  agencyName: "Canary Homes",
  managerFirstName: "Canaro",
  managerLastName: "Canarovic",
  contactNumber: "61255500022",
  managerEmail: "agent@canary.example",
  approval: "CANARY-77",
};

const allowedKeys = [
  ...["call", "commitsWaitForStandby", "database", "error", "fields", "from", "level", "milliseconds", "reference"],
  ...["refused", "requestId", "start", "status", "time"],
];

promise(18, async ({ start, sql, postgres }) => {
  const app = await start({ settings: { LOG_LEVEL: "debug" } });
  const { token } = await invited();
  const second = await invited();
  const data = { ...wholeApplication, ...canaries };
  const post = (name: string, body: string) =>
    send(app, `/api/v1/user/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": newAddress() },
      body,
    });
  await fillIn(app, token);
  for (const name of allCalls.slice(0, 4)) await call(app, name, { token, data });
  for (const name of allCalls) {
    // Bad JSON, bad fields, a wrong token and a NUL: errors of JSON.parse and of the database driver quote such values.
    await post(name, `{"token":"${token}","data":{"firstName":"${canaries.firstName}",}}`);
    await post(name, JSON.stringify({ token, data: { ...data, email: canaries.email.padEnd(400, "x") } }));
    await post(name, JSON.stringify({ token: `${token}x`, data }));
    await post(name, JSON.stringify({ token, data: { ...data, firstName: `${canaries.firstName}\0` } }));
  }
  await send(app, `/?token=${token}&source=ba`, { redirect: "follow" });
  await send(app, `/nowhere/${canaries.email}?token=${token}`, {});
  // A save violates a constraint, because Postgres then quotes the row in its error detail.
  await sql(`ALTER TABLE applications ADD CONSTRAINT broken CHECK ("firstName" <> '${canaries.firstName}') NOT VALID`);
  const broken = await call(app, "submit-step-1", { token: second.token, data });
  await sql("ALTER TABLE applications DROP CONSTRAINT broken");
  same(broken.status, 500, "status of a save that breaks a constraint");
  expect(!broken.text.includes("broken"), "the response reveals the database's internals");
  await call(app, "submit-final", { token, data: consent });
  await sleep(200);
  await app.end("SIGTERM");

  const output = app.output();
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  const everything = output + postgres.log();
  for (const secret of [token, second.token, ...Object.values(canaries)])
    expect(!everything.toLowerCase().includes(secret.toLowerCase()), `a log line holds '${secret}'`);
  const parsed = lines.map((line) => JSON.parse(line));
  const keys = [...new Set(parsed.flatMap((line) => Object.keys(line)))].sort();
  const unknownKeys = keys.filter((key) => !allowedKeys.includes(key));
  same(unknownKeys, [], "keys of log lines beyond those allowed");
  const failed = parsed.find(({ requestId }) => requestId === broken.headers.get("x-request-id"));
  expect(failed?.error?.name && failed.error.code, "the failure is not logged by name and code");
  same(failed.reference, second.reference, "reference in the log line");
  return `${lines.length} log lines of a journey with failures, and Postgres's own log: 0 of ${Object.keys(canaries).length + 2} canaries; the failed save is there as ${failed.error.name} ${failed.error.code}`;
});
