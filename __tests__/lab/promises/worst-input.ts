import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { saveAtFixedRate } from "@/__tests__/lab/promises/support/load";
import { promise } from "@/__tests__/lab/promises/support/world";
import { agent, consent, landlord, lease } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type App, freePort } from "@/__tests__/support/processes/app";
import { median, quantile, tally } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { runCommand } from "@/__tests__/support/run-command";

const size = 16_384;
const seconds = 6;
const rounds = 5;
const savesPerSecond = 40;
const requestsPerSecond = 20;
/** In characters. Node refuses a request whose headers exceed 16 kB in total. */
const longestHeader = 15_000;
/** In characters. A longer address gets 414. */
const longestAddress = 1900;
/** As many headers as Node reads, and more parameters than an address may have. */
const most = { headers: 900, parameters: 30 };
/** Statuses of requests that are refused before their input is parsed. */
const stoppedEarlier = [403, 413, 414, 415, 429, 431];

/** Repeats the part up to this number of bytes. */
const long = (part: string, end = "", bytes = size) => part.repeat(Math.floor(bytes / Buffer.byteLength(part))) + end;

/** Parts and ends of texts that have slowed a parser or might: near matches, and combining marks, which normalization reorders. */
const texts: [part: string, end?: string][] = [
  ["!", "a"],
  [" ", "x"],
  ["a.", "@"],
  ["a@", "!"],
  ["0", "x"],
  ["1,", "."],
  ["(", "1"],
  ["\u0301", "a"],
  ["٣", "x"],
  ["-"],
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
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_REPORT_SECRET: reportSecret,
};

/** The same text as it is, half as long, and encoded for a header or an address. */
interface Texts {
  text: string;
  half: string;
  encoded: string;
  /** Encoded, for an address. */
  short: string;
}

const get = (path: string, headers: Record<string, string> = {}): Request => ({ path, init: { headers } });

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Request => ({
  path,
  init: {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "10.66.0.1", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  },
});

const form = { "content-type": "application/x-www-form-urlencoded" };

function signedReport(body: string, headers: Record<string, string> = {}, path = "/api/webhooks/sms"): Request {
  const signature = createHmac("sha256", reportSecret).update(body).digest("hex");
  return post(path, body, { "x-signature": `sha256=${signature}`, ...headers });
}

/** Requests to the calls that are not steps of the form, with bodies just below the limit of each call. */
function otherRequests(token: string, key: string, { text, half, encoded, short }: Texts): Request[] {
  const authorization = `Bearer ${key}`;
  return [
    post("/api/v1/user/submit", { token, data: { ...landlord, ...agent, ...lease, ...consent, email: text } }),
    post("/api/v1/user/fresh-link", { token: text }),
    post("/api/v1/user/receipt", { token: text }),
    get(`/stop?code=${short}`),
    post(`/api/messages/stop?code=${short}`, "List-Unsubscribe=One-Click", form),
    post("/api/csp-report", { "csp-report": { "effective-directive": text } }),
    post("/api/vitals", { source: text, vitals: [{ name: "LCP", page: "/", value: 1 }] }),
    signedReport(JSON.stringify({ from: half, text: half })),
    signedReport(JSON.stringify({ id: text, state: "delivered" })),
    signedReport(`from=${encoded}&text=STOP`, form),
    signedReport(JSON.stringify({ id: half, state: "bounced", reason: half }), {}, "/api/webhooks/email"),
    post("/api/v1/invitations", { mobile: text, email: text, quotes: text }, { authorization }),
    post("/api/v1/invitations", {}, { authorization, "idempotency-key": encoded }),
    get(`/api/v1/invitations/${short}`, { authorization }),
  ];
}

function worstRequests(token: string, key: string): Request[] {
  /** One field at a time, because two would exceed the body limit. */
  const fields: [call: string, answers: Record<string, unknown>, names: string[]][] = [
    ["submit-step-1", landlord, ["firstName", "email", "mobile", "source"]],
    ["submit-step-2", agent, ["contactNumber", "managerEmail"]],
    ["submit-step-3", lease, ["currentRent", "leaseStartDate", "approval"]],
  ];
  const requests = texts.flatMap(([part, end = ""]) => {
    const [text, half] = [long(part, end), long(part, end, size / 2)];
    const encoded = long(encodeURIComponent(part), encodeURIComponent(end), longestHeader);
    const short = long(encodeURIComponent(part), encodeURIComponent(end), longestAddress);
    const cookie = (before: string, after: string) =>
      get("/", { cookie: `handoff=${encodeURIComponent(before)}${encoded}${encodeURIComponent(after)}` });
    return [
      get(`/?source=${short}`),
      get(`/?token=${short}`),
      cookie("", ""),
      cookie('["', '",null]'),
      cookie('[null,"', '"]'),
      get("/api/health", { "x-forwarded-for": encoded }),
      ...fields.flatMap(([call, answers, names]) =>
        names.map((name) => post(`/api/v1/user/${call}`, { token, data: { ...answers, [name]: text } })),
      ),
      post("/api/v1/user/submit-final", { token, data: { reviewed: { answers: text, consent: "" } } }),
      post("/api/v1/user/verify-token", { token: text }),
      ...otherRequests(token, key, { text, half, encoded, short }),
    ];
  });
  return [
    get("/api/health", { "x-forwarded-for": long(", ", "1", longestHeader) }),
    get("/api/health", { "accept-encoding": long(" ", "gzip", longestHeader) }),
    ...manyThings(token, key),
    ...requests,
  ];
}

/** Requests with as many parameters, headers, cookies, members, elements, segments or columns as fit. */
function manyThings(token: string, key: string): Request[] {
  const authorization = `Bearer ${key}`;
  const numbers = Array.from({ length: 2500 }, (_, n) => n);
  const members = Object.fromEntries(numbers.map((n) => [`m${n}`, 1]));
  const headers = Object.fromEntries(numbers.slice(0, most.headers).map((n) => [`x-${n}`, "1"]));
  const pages = [
    `/?${"a&".repeat(most.parameters - 1)}a`,
    `/?${"%26a".repeat(480)}`,
    `/${"a/".repeat(longestAddress / 2)}a`,
    `/${"%2F".repeat(600)}`,
    `/${"../".repeat(600)}`,
  ];
  return [
    ...pages.map((path) => get(path)),
    ...pages.map((path) => get(`/api/v1/invitations${path}`, { authorization })),
    get("/", headers),
    get("/", {
      cookie: numbers
        .map((n) => `c${n}=1`)
        .join("; ")
        .slice(0, longestHeader),
    }),
    get("/", { cookie: "; ".repeat(longestHeader / 2) }),
    post("/api/v1/user/submit-step-1", { token, data: { ...landlord, ...members } }),
    post("/api/v1/user/submit-step-3", { token, data: { ...lease, currentRent: numbers } }),
    post("/api/v1/user/submit-step-1", `{"token":"${token}","data":${"[".repeat(7000)}${"]".repeat(7000)}}`),
    post(
      "/api/v1/user/submit-step-1",
      `{"token":"${token}","data":{${'"firstName":"a",'.repeat(1000)}"lastName":"b"}}`,
    ),
    post("/api/vitals", {
      source: "ba",
      vitals: numbers.slice(0, 500).map(() => ({ name: "LCP", page: "/", value: 1 })),
    }),
    post("/api/csp-report", numbers, { "content-type": "application/reports+json" }),
    post(
      "/api/v1/invitations",
      numbers.map(() => ({})),
      { authorization },
    ),
    post("/api/v1/invitations", { ...members, quotes: numbers }, { authorization }),
    signedReport(JSON.stringify({ ...members, id: "1", state: "delivered" })),
    signedReport(numbers.map((n) => `a${n}=1`).join("&"), form),
    signedReport(JSON.stringify({ ...members, id: "1", state: "bounced" }), {}, "/api/webhooks/email"),
  ];
}

async function send(app: App, { path, init }: Request): Promise<number> {
  const response = await fetch(app.url + path, { redirect: "manual", ...init });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Sends requests in an open loop, so that a slow request does not delay the next. Begins with the request number `first`, and
 * after the last with the first again. Returns the statuses.
 */
async function attack(app: App, requests: Request[], first: number, isOver: () => boolean): Promise<number[]> {
  const sent: Promise<number>[] = [];
  for (let n = first; !isOver(); n += 1) {
    sent.push(send(app, requests[n % requests.length] as Request));
    await sleep(1000 / requestsPerSecond);
  }
  return Promise.all(sent);
}

promise(66, async ({ start, users }) => {
  const metrics = String(await freePort());
  // On a busy machine saves may be slow, input or not. Their times are compared.
  const patient = { LOG_LEVEL: "silent", RATE_LIMIT_FACTOR: "100000", WORKER: "off", DATABASE_TIMEOUT_MS: "15000" };
  const app = await start({ settings: { ...smsSettings, ...patient, METRICS_PORT: metrics } });
  const { out } = await runCommand("keys", ["create", "--name", "worst-input"], { DATABASE_URL: users.operations });
  const [key = ""] = /rak_[\w-]+/.exec(out) ?? [];
  const tokens = (await runConcurrently(30, 5, () => invited())).map(({ token }) => token);
  const requests = worstRequests((await invited()).token, key);
  const p95 = async (when: string) => {
    const responses = await saveAtFixedRate(app, savesPerSecond, seconds, tokens);
    same(tally(responses.map(({ status }) => status)), `${responses.length} × 200`, `other people's saves ${when}`);
    const times = responses.map(({ milliseconds }) => milliseconds);
    return quantile(times, 0.95);
  };
  // The first request of a route loads its code, which would delay the saves beside it.
  for (const request of requests) await send(app, request);
  await p95("before any input");
  const ratios: number[] = [];
  const statuses: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const undisturbed = await p95("between the inputs");
    let isOver = false;
    const attacked = attack(app, requests, statuses.length, () => isOver);
    ratios.push((await p95("beside the inputs")) / undisturbed);
    isOver = true;
    statuses.push(...(await attacked));
  }
  const ratio = median(ratios);
  const figure = tally(statuses.sort());
  expect(statuses.length >= requests.length, `only ${statuses.length} of ${requests.length} different requests`);
  const unread = statuses.filter((status) => status >= 500 || stoppedEarlier.includes(status));
  same(unread, [], `failed responses to the worst input, and those that no parser had read (${figure})`);
  expect(ratio <= 1.5, `p95 of other people's saves ${ratio.toFixed(2)} × the undisturbed one`);
  return `${statuses.length} requests with 16 kB of the worst input, in length and in number, ${requests.length} different ones, ${requestsPerSecond} a second (${figure}): p95 of other people's saves ${ratio.toFixed(2)} × the undisturbed one (median of ${rounds} pairs)`;
});
