import { freshDatabase } from "@/__tests__/support/database";
import { lines } from "@/__tests__/support/log-lines";
import { post } from "@/__tests__/support/post";
import { POST } from "@/app/api/csp-report/route";
import { policyReports } from "@/lib/server/http/counters";

process.env.LOG_LEVEL = "info";
process.env.METRICS_PORT = "9464";
freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);
beforeEach(() => {
  lines.length = 0;
  policyReports.reset();
});

const page = "https://apply.example/home?secret=canary";
const send = (body: unknown, type = "application/csp-report", headers = {}) =>
  post(POST, undefined, {
    raw: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": type, ...headers },
  });
const counted = async () => (await policyReports.get()).values.map(({ labels, value }) => [labels.directive, value]);

test("a report is counted by its directive, in either format, and nothing else of it is stored", async () => {
  const report = {
    "document-uri": page,
    "effective-directive": "script-src-elem",
    "blocked-uri": "https://canary.example",
  };
  expect((await send({ "csp-report": report })).status).toBe(200);
  const body = { documentURL: page, effectiveDirective: "img-src", blockedURL: "https://canary.example" };
  await send([{ type: "csp-violation", body }], "application/reports+json");
  expect(await counted()).toEqual([
    ["script-src-elem", 1],
    ["img-src", 1],
  ]);
  expect(lines.join("")).toContain('"policy":"violated","directive":"script-src-elem"');
  expect(lines.join("")).not.toContain("canary");
});

test.each([
  ["{half"],
  [[]],
  [{ "csp-report": null }],
  [{ "csp-report": { "effective-directive": "script-src canary" } }],
  ["null"],
])("an invalid report such as %j is counted as 'other'", async (body) => {
  expect((await send(body)).status).toBe(200);
  expect(await counted()).toEqual([["other", 1]]);
});

test("another site cannot report, large bodies are refused, and a network is limited", async () => {
  expect((await send({}, "application/csp-report", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await send("x".repeat(40_000))).status).toBe(413);
  const from = { "x-forwarded-for": "198.51.100.77" };
  const statuses: number[] = [];
  for (let n = 0; n < 61; n += 1) statuses.push((await send({}, "application/csp-report", from)).status);
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([60, 429]);
});
