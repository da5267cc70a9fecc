import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lender } from "@/__tests__/support/lender";
import { startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { send } from "@/__tests__/support/processes/call";
import type { Shell } from "@/__tests__/support/run-line";
import { withConnection } from "@/lib/server/db/connection";
import { follow } from "./dockerfile";
import { same } from "./expect";
import { newServer, programWith, urlsIn } from "./new-server";
import { type ReverseProxy, startReverseProxy } from "./reverse-proxies";
import { type Expectation, Week } from "./week";
import type { World } from "./world";

export const pages = {
  deploy: "docs/deploy/README.md",
  operate: "docs/deploy/operate.md",
  operations: "docs/operations.md",
  sending: "docs/sending.md",
  evidence: "docs/evidence.md",
  calls: "docs/calls.md",
};
const { deploy, operate, operations, sending, evidence } = pages;

type RunLine = (page: string, line: string, expected?: Expectation) => Promise<string>;
type Stop = () => Promise<void>;

/** A lender's environment: its servers, the product on them, and helpers that run commands there. */
export type LenderEnvironment = Awaited<ReturnType<typeof openLenderEnvironment>>;

/** Starts two database servers and a mail server, and runs the Dockerfile's steps. Nothing is configured yet. */
export async function openLenderEnvironment({ after, folder }: Pick<World, "after" | "folder">) {
  const root = folder();
  const path = (name: string) => join(root, name);
  const program = programWith("pg_dump");
  const [server, restoreServer] = [await newServer(program), await newServer(program)];
  after(server.stop);
  after(restoreServer.stop);
  const mail = await startMailServer();
  after(mail.stop);
  const image = follow("docs/deploy/Dockerfile");
  after(() => rmSync(image.root, { recursive: true, force: true }));
  symlinkSync(image.folder, path("rent-advance"));
  const settings = {
    ...lender,
    APP_URL: "https://apply.example",
    BRAND_TIME_ZONE: "Australia/Sydney",
    STATUS_DELAY_MINUTES: "0",
    SMTP_URL: mail.url,
    MAIL_FROM: "Banksia <loans@banksia.example>",
    WEBHOOK_URL: "http://127.0.0.1:9",
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  };
  const week = new Week();
  const env = {
    ...image.env,
    PATH: `${join(program, "..")}:${process.env.PATH}`,
    HOME: root,
    // The product must not inherit these settings of this process.
    DATABASE_URL: "",
    DATABASE_TIMEOUT_MS: "",
    NODE_OPTIONS: "",
    NODE_TLS_REJECT_UNAUTHORIZED: "1",
  };
  /** The URLs that the pages write as <owner>, <app> and so on. */
  const urls: Record<string, string> = { "<owner>": server.owner, "<new-owner>": restoreServer.owner };
  const shell: Shell = { folder: path("rent-advance"), env };
  return {
    week,
    path,
    server,
    mail,
    image,
    settings,
    env,
    urls,
    after,
    /** Runs a line as an administrator, in the folder of the product. */
    admin: ((page, line, expected = {}) =>
      week.run(shell, page, line, { ...expected, replace: { ...urls, ...expected.replace } })) as RunLine,
    mailsTo: (address: string) => mail.envelopes.filter((recipients) => recipients.includes(address)).length,
    /** Whether no email or SMS is due or being sent. A claimed message becomes due when its lease ends, within a minute. */
    isAllSent: () =>
      withConnection(server.owner, async (client) => {
        const due = `SELECT FROM messages WHERE state IN ('waiting', 'sending') AND "dueAt" < now() + interval '2 minutes' AND channel <> 'webhook'`;
        return (await client.query(due)).rowCount === 0;
      }),
    /** The token of the last link that was sent to this address. */
    async tokenTo(address: string): Promise<string> {
      const n = mail.envelopes.findLastIndex((recipients) => recipients.includes(address));
      return /[?&]token=([\w-]+)/.exec((await mail.read(n)).text ?? "")?.[1] ?? "";
    },
  };
}

/** The running product: two processes behind nginx, a worker, and an operator. `url` is the address of nginx. */
export type Site = Awaited<ReturnType<typeof goLive>>;

export const isReady = async (url: string) => (await send({ url }, "/api/ready", {}).catch(() => null))?.status === 200;

/** Follows the pages from an empty database to a running site. */
export async function goLive(environment: LenderEnvironment) {
  const { week, admin, urls, path, after } = environment;
  await admin(deploy, "DATABASE_URL=<owner> npm run migrate");
  const roleUrls = urlsIn(await admin(deploy, "DATABASE_URL=<owner> npm run roles"));
  Object.assign(urls, { "<app>": roleUrls.app, "<operations>": roleUrls.operations });
  await admin(evidence, "EVIDENCE_KEY_FILE=/etc/rent-advance/evidence-key.json npm run evidence -- key", {
    replace: { "/etc/rent-advance/evidence-key.json": path("evidence-key.json") },
  });
  const processes = await startProcesses(environment);
  const proxy = await startReverseProxy("nginx", processes.ports);
  after(proxy.stop);
  const url = `https://127.0.0.1:${proxy.port}`;
  await lookAround(environment, url, proxy);
  await week.check(operations, "With `METRICS_PORT=9464`, Prometheus can read `127.0.0.1:9464/metrics`", async () =>
    (await processes.metrics()).includes("rent_advance_ready 1"),
  );
  return { ...processes, url, ...(await createOperator(environment)) };
}

async function startProcesses({ week, path, env, settings, urls, after }: LenderEnvironment) {
  const ports: [number, number] = [await freePort(), await freePort()];
  const metricsPort = await freePort();
  const serving = (port: number): Shell => ({
    folder: path("rent-advance"),
    env: {
      ...env,
      ...settings,
      EVIDENCE_KEY_FILE: path("evidence-key.json"),
      TRUSTED_PROXIES: "1",
      // All applicants of the week share one address.
      RATE_LIMIT_FACTOR: "100",
      HOST: "127.0.0.1",
      PORT: String(port),
      METRICS_PORT: port === ports[0] ? String(metricsPort) : "",
      SHUTDOWN_DELAY_MS: "0",
      WORKER: "off",
    },
  });
  const start = (port: number) =>
    week.start(serving(port), deploy, "DATABASE_URL=<app> APP_URL=https://apply.example npm start", {
      replace: urls,
      isUp: () => isReady(`http://127.0.0.1:${port}`),
    });
  const startWorker = () => {
    const shell = serving(ports[1]);
    return week.start(
      { ...shell, env: { ...shell.env, DATABASE_URL: urls["<app>"] ?? "" } },
      sending,
      "npm run worker",
      { isUp: (output) => output.includes("Appending to the evidence log") },
    );
  };
  const stops: Stop[] = [];
  after(() => Promise.all(stops.map((stop) => stop())));
  for (const port of ports) stops.push(await start(port));
  const stopWorker = await startWorker();
  after(stopWorker);
  const metrics = async () => (await send({ url: `http://127.0.0.1:${metricsPort}` }, "/metrics", {})).text;
  return { ports, serving, start, stops, stopWorker, metrics };
}

/** Performs the checks of a site on the first day's checklist. */
async function lookAround({ week }: LenderEnvironment, url: string, { plainPort }: ReverseProxy): Promise<void> {
  await week.check(operate, "`/api/ready` answers 200 over HTTPS", () => isReady(url));
  await week.check(operate, "`http://` redirects to `https://`", async () => {
    const { status, headers } = await send({ url: `http://127.0.0.1:${plainPort}` }, "/", {});
    same([status, headers.get("location")?.startsWith("https://")], [301, true], "response to http");
  });
  const names = "The names, the licence and the links at the foot of the landing page are yours";
  await week.check(operate, names, async () =>
    (await send({ url }, "/un-authorized", {})).text.includes(lender.BRAND_LEGAL_NAME),
  );
}

/** Creates the operator Alice, with a database login and a file of settings. */
async function createOperator({ week, path, env, server, settings, urls }: LenderEnvironment) {
  const login = "`CREATE ROLE alice LOGIN`, `GRANT rent_advance_operations TO alice` and `\\password alice`";
  await week.check(operate, login, () =>
    withConnection(server.owner, async (client) => {
      await client.query("CREATE ROLE alice LOGIN PASSWORD 'pa$s'");
      await client.query("GRANT lender_operations TO alice");
    }),
  );
  const url = Object.assign(new URL(urls["<operations>"] ?? ""), { username: "alice", password: "pa$s" });
  const lines = Object.entries({ OPERATIONS_DATABASE_URL: String(url), ...settings });
  await week.check(operate, "The person keeps the settings in `~/rent-advance.env`, `chmod 600`", () => {
    const text = lines.map(([name, value]) => `${name}='${value}'\n`).join("");
    writeFileSync(path("rent-advance.env"), text, { mode: 0o600 });
  });
  const load = "set -a; . ~/rent-advance.env; set +a; cd /srv/rent-advance";
  const folder = path("");
  const product = path("rent-advance");
  await week.run({ folder, env }, operate, load, {
    replace: { "/srv/rent-advance": `${product} && npm run --silent applications -- list` },
  });
  // Bash reads this file before each of Alice's commands.
  writeFileSync(path("before-each"), load.replace("/srv/rent-advance", product));
  const shell: Shell = { folder, env: { ...env, BASH_ENV: path("before-each") } };
  /** Runs commands as the operator Alice, with the settings in her own file. */
  const alice: RunLine = (page, line, expected) => week.run(shell, page, line, expected);
  return { shell, alice };
}
