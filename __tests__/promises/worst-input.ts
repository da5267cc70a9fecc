import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type App, freePort } from "@/__tests__/support/processes/app";
import { median, quantile, tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";
import { expect, same } from "./support/expect";
import { saveAtFixedRate } from "./support/load";
import { promise } from "./support/world";

const size = 16_384;
const seconds = 6;
const rounds = 5;
const savesPerSecond = 40;
const requestsPerSecond = 20;
/** In characters. Node refuses a request whose headers exceed 16 kB in total. */
const longestHeader = 15_000;

const long = (part: string, end = "", length = size) => part.repeat(Math.floor(length / part.length)) + end;

/** Texts that have slowed a parser or might: long near matches, and combining marks, which normalization reorders. */
const texts = [
  long("!", "a"),
  long(" ", "x"),
  long("a.", "@"),
  long("a@", "!"),
  long("0", "x"),
  long("1,", "."),
  long("(", "1"),
  long("\u0301", "a", size / 2),
  long("٣", "x", size / 2),
  long("-"),
];

interface Request {
  path: string;
  init: RequestInit;
}

const reportSecret = "a secret of the promises";
const smsSettings = {
  SMS_PROVIDER: "generic",
  SMS_URL: "http://127.0.0.1:9/",
  SMS_FROM: "61400000000",
  SMS_BODY: '{"to":"{to}","text":"{text}"}',
  SMS_REPORT_SECRET: reportSecret,
};

/** Requests to the calls that are not steps of the form, with bodies as long as the limit of each call allows. */
function otherRequests(token: string, key: string, text: string): Request[] {
  const headers = { "content-type": "application/json", "x-forwarded-for": "10.66.0.2" };
  const post = (path: string, body: string, extraHeaders: Record<string, string> = {}): Request => ({
    path,
    init: { method: "POST", headers: { ...headers, ...extraHeaders }, body },
  });
  const report = JSON.stringify({ from: text.slice(0, size / 2), text: text.slice(0, size / 2) });
  const signature = createHmac("sha256", reportSecret).update(report).digest("hex");
  const blocked = { "csp-report": { "document-uri": text, "blocked-uri": text, "effective-directive": text } };
  return [
    post(
      "/api/v1/user/submit",
      JSON.stringify({ token, data: { ...landlord, ...agent, ...lease, ...consent, email: text } }),
    ),
    post("/api/v1/user/fresh-link", JSON.stringify({ token: text })),
    post("/api/v1/user/receipt", JSON.stringify({ token: text })),
    post(`/api/messages/stop?code=${encodeURIComponent(text).slice(0, longestHeader)}`, "List-Unsubscribe=One-Click", {
      "content-type": "application/x-www-form-urlencoded",
    }),
    post("/api/csp-report", JSON.stringify(blocked), { "content-type": "application/csp-report" }),
    post("/api/vitals", JSON.stringify({ source: text, vitals: [{ name: "LCP", page: text, value: 1 }] })),
    post("/api/webhooks/sms", report, { "x-signature": `sha256=${signature}` }),
    post("/api/v1/invitations", JSON.stringify({ mobile: text, email: text, quotes: text }), {
      authorization: `Bearer ${key}`,
    }),
  ];
}

function worstRequests(token: string, key: string): Request[] {
  const post = (call: string, body: unknown, headers: Record<string, string> = {}): Request => ({
    path: `/api/v1/user/${call}`,
    init: {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": "10.66.0.1", ...headers },
      body: JSON.stringify(body),
    },
  });
  const get = (path: string, headers: Record<string, string> = {}): Request => ({ path, init: { headers } });
  const inQuery = (text: string) => encodeURIComponent(text).slice(0, longestHeader);
  /** One field at a time, because two would exceed the body limit. */
  const fields: [call: string, answers: Record<string, unknown>, names: string[]][] = [
    ["submit-step-1", landlord, ["firstName", "email", "mobile", "source"]],
    ["submit-step-2", agent, ["contactNumber", "managerEmail"]],
    ["submit-step-3", lease, ["currentRent", "leaseStartDate", "approval"]],
  ];
  return texts.flatMap((text) => [
    get(`/?source=${inQuery(text)}`),
    get(`/?token=${inQuery(text)}`),
    get("/api/health", { "x-forwarded-for": long(", ", "1", longestHeader) }),
    get("/api/health", { "accept-encoding": long(" ", "gzip", longestHeader) }),
    ...fields.flatMap(([call, answers, names]) =>
      names.map((name) => post(call, { token, data: { ...answers, [name]: text } })),
    ),
    post("submit-final", { token, data: { reviewed: { answers: text, consent: "" } } }),
    post("verify-token", { token: text }),
    ...otherRequests(token, key, text),
  ]);
}

/** Sends requests in an open loop, so that a slow request does not delay the next. Returns the statuses. */
async function attack(app: App, requests: Request[], isOver: () => boolean): Promise<number[]> {
  const sent: Promise<number>[] = [];
  for (let n = 0; !isOver(); n += 1) {
    const { path, init } = requests[n % requests.length] as Request;
    const response = fetch(app.url + path, { redirect: "manual", ...init });
    sent.push(response.then(async (response) => response.arrayBuffer().then(() => response.status)));
    await sleep(1000 / requestsPerSecond);
  }
  return Promise.all(sent);
}

promise(66, async ({ start, users }) => {
  const metrics = String(await freePort());
  const app = await start({
    settings: {
      ...smsSettings,
      LOG_LEVEL: "silent",
      RATE_LIMIT_FACTOR: "100000",
      WORKER: "off",
      METRICS_PORT: metrics,
    },
  });
  const { out } = await runCommand("keys", ["create", "--name", "worst-input"], {
    DATABASE_URL: users.operations,
  });
  const [key = ""] = /rak_[\w-]+/.exec(out) ?? [];
  const tokens = (await several(30, 5, () => invited())).map(({ token }) => token);
  const requests = worstRequests((await invited()).token, key);
  const p95 = async () => {
    const responses = await saveAtFixedRate(app, savesPerSecond, seconds, tokens);
    same(tally(responses.map(({ status }) => status)), `${responses.length} × 200`, "statuses of other people's saves");
    return quantile(
      responses.map(({ milliseconds }) => milliseconds),
      0.95,
    );
  };
  await p95();
  const ratios: number[] = [];
  const statuses: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const undisturbed = await p95();
    let isOver = false;
    const attacked = attack(app, requests, () => isOver);
    ratios.push((await p95()) / undisturbed);
    isOver = true;
    statuses.push(...(await attacked));
  }
  const ratio = median(ratios);
  expect(Math.max(...statuses) < 500, `a response to the worst input: ${tally(statuses)}`);
  expect(ratio <= 1.5, `p95 of other people's saves ${ratio.toFixed(2)} × the undisturbed one`);
  return `${statuses.length} requests with 16 kB of the worst input, ${requestsPerSecond} a second (${tally(statuses.sort())}): p95 of other people's saves ${ratio.toFixed(2)} × the undisturbed one (median of ${rounds} pairs)`;
});
