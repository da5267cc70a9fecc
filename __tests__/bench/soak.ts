import { fork } from "node:child_process";
import { once } from "node:events";
import { startMailServer } from "@/__tests__/support/mail-server";
import { type App, freePort } from "@/__tests__/support/processes/app";
import { median, quantile } from "@/__tests__/support/processes/figures";
import { withClient } from "@/__tests__/support/processes/postgres";
import { callsTo, endLoad, throughput } from "./load";
import { lowestMemory, type Memory, memoryRow } from "./memory";
import { seed } from "./seed";
import type { Answered, Steady } from "./steady-worker";
import { compared, type Row } from "./table";
import type { World } from "./world";

const minutes = 10;
const applications = 1000;
/** The app sends ten a second at most: some are due from the first minute to the last. */
const due = (minutes + 2) * 60 * 10;

const makeDue = (database: string) =>
  withClient(database, (client) =>
    client.query(
      `INSERT INTO messages (kind, channel, recipient)
       SELECT 'test', 'email', 'person' || n || '@mail.example' FROM generate_series(1, ${due}) AS n`,
    ),
  );

async function highestRate(app: App): Promise<number> {
  const load = () => throughput({ urls: [app.url], ...callsTo(applications).save }, 5);
  await load();
  return median([await load(), await load(), await load()]);
}

interface Minutes {
  /** Milliseconds of each save. */
  taken: number[][];
  memory: Memory[];
  /** Saves that were refused or not answered. */
  wrong: number;
}

async function savesFor(app: App, perSecond: number, metricsPort: number): Promise<Minutes> {
  const worker = fork("__tests__/bench/steady-worker.ts", { execArgv: ["--require", "tsx/cjs"] });
  const { path, bodies } = callsTo(applications).save;
  const steady: Steady = { url: app.url + path, bodies, perSecond, seconds: 60 };
  const done: Minutes = { taken: [], memory: [], wrong: 0 };
  for (let minute = 0; minute < minutes; minute += 1) {
    const answered = once(worker, "message") as Promise<[Answered]>;
    worker.send(steady);
    done.memory.push(await lowestMemory(metricsPort, answered));
    const [{ milliseconds, wrong }] = await answered;
    done.wrong += wrong;
    done.taken.push(milliseconds);
  }
  worker.disconnect();
  return done;
}

/** Saves at half the highest rate while messages are sent, each timed from when it was due. */
export async function soak({ postgres, startOn }: World): Promise<Row[]> {
  const database = await postgres.createDatabase("soak");
  await seed(database, applications);
  const mail = await startMailServer();
  const metricsPort = await freePort();
  const app = await startOn(database, {
    SMTP_URL: mail.url,
    SANDBOX_RECIPIENTS: "*",
    MESSAGES_PER_DAY: "1000000",
    METRICS_PORT: String(metricsPort),
  });
  await makeDue(database);
  const perSecond = Math.round((await highestRate(app)) / 2);
  const before = mail.raw.length;
  const { taken, memory, wrong } = await savesFor(app, perSecond, metricsPort);
  const sent = mail.raw.length - before;
  await app.end("SIGTERM");
  await mail.stop();
  endLoad();
  const all = taken.flat();
  const ratios = taken.map((minute) => quantile(minute, 0.99) / quantile(minute, 0.5));
  const figure = compared({
    unit: "ms",
    what: `p99 of ${perSecond} saves a second (half the highest rate) for ${minutes} minutes, beside ${sent} emails; ${wrong} saves refused`,
    floor: "their p50, both from when a save was due",
    most: 8,
    ours: [quantile(all, 0.99)],
    floors: [quantile(all, 0.5)],
  });
  return [
    {
      ...figure,
      spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} in a minute`,
      verdict: wrong === 0 ? figure.verdict : "missed",
    },
    memoryRow(memory),
  ];
}
