import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { createDatabase, type Database, type Db } from "@/lib/server/db/client";
import { readSettings, replaceSettings } from "@/lib/server/settings";
import type { PrismaClient } from "@/prisma/generated/client";
import { restoreDate, setClock, shiftDate } from "./clock";
import { connected, empty, type SimulationDatabase } from "./database";
import { type ApplicationFact, type Facts, readFacts } from "./facts";
import { interceptStatements } from "./intercept-statements";
import { type Model, overlapsOrFollows, type Person, Violation } from "./model";
import { type Contact, chooseProviders, Providers, replaceProviders } from "./providers";
import { currentOperation, type Operation, Scheduler } from "./scheduler";

const settings = {
  APP_URL: "http://localhost:3000",
  DATABASE_TIMEOUT_MS: "60000",
  RATE_LIMIT_FACTOR: "100000",
  LOG_LEVEL: "silent",
  SMTP_URL: "smtp://mail.simulation",
  STAFF_EMAILS: "",
  SMS_PROVIDER: "generic",
  SMS_URL: "http://sms.simulation/",
  SMS_FROM: "Simulation",
  SMS_BODY: '{"to":"{to}","text":"{text}","id":"{id}"}',
  SMS_REPORT_SECRET: "sixteen-letters-of-it",
  WEBHOOK_URL: "http://receiver.simulation/",
  WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  SANDBOX_RECIPIENTS: "*",
  REMINDER_DAYS: "3,7",
};

/** Monday in Sydney, when the office is open. */
const firstMoment = Date.UTC(2026, 10, 23, 0, 0);

export interface Stage {
  owner: Client;
  watch: Client;
  database: SimulationDatabase;
  /** As the product's worker has it. */
  worker: PrismaClient;
  close(): Promise<void>;
}

/** Prepares this process: the clock, the providers, and a pool for each of the product's identities. */
export async function openStage(database: SimulationDatabase): Promise<Stage> {
  const owner = await connected(database.ownerUrl);
  const watch = await connected(database.ownerUrl);
  process.env.DATABASE_URL = database.appUrl;
  const undo = [forgetLongTimers(), interceptStatements(), replaceProviders(), separateIdentities(database), silence()];
  shiftDate();
  replaceSettings(readSettings({ ...settings, DATABASE_URL: database.appUrl }));
  const worker = patient(createDatabase({ url: database.appUrl, max: 2, timeoutMs: 60_000 }));
  return {
    owner,
    watch,
    database,
    worker: worker.prisma,
    async close() {
      restoreDate();
      await abandon(worker);
      for (const one of undo.reverse()) await one();
      await Promise.all([owner.end(), watch.end()]);
    },
  };
}

/** Ends its connections. Transactions of killed operations never end, so neither the client nor the pool would. */
async function abandon({ prisma, pool }: Database): Promise<void> {
  prisma.$disconnect().catch(() => {});
  const { _clients } = pool as unknown as { _clients: Client[] };
  const clients = [..._clients];
  pool.end().catch(() => {});
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
}

/** Calls and the worker use the app's pool, commands that of operations: the product keeps one for the process. */
function separateIdentities({ appUrl, operationsUrl }: SimulationDatabase): () => Promise<void> {
  const kept: Partial<Record<Operation["identity"], Database>> = {};
  const urls = { app: appUrl, operations: operationsUrl };
  const mine = () => currentOperation()?.identity ?? "app";
  // One operation runs at a time.
  Scheduler.resumed = ({ identity }) => {
    process.env.DATABASE_URL = urls[identity];
  };
  const name = "rentAdvanceDatabase";
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => kept[mine()],
    set(value?: Database) {
      kept[mine()] = value && patient(value);
    },
  });
  return async () => {
    Reflect.deleteProperty(globalThis, name);
    await Promise.all(Object.values(kept).map(abandon));
  };
}

/** Timers of killed transactions would keep the process alive for minutes. */
function forgetLongTimers(): () => void {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((run: () => void, milliseconds = 0, ...values: []) => {
    const timer = setTimeout(run, milliseconds, ...values);
    return milliseconds >= 60_000 ? timer.unref() : timer;
  }) as typeof setTimeout;
  return () => {
    globalThis.setTimeout = setTimeout;
  };
}

/** Prisma gives up a transaction after some seconds of the machine's time, and here it may be held for longer. */
function patient({ prisma, pool }: Database): Database {
  const $transaction = (work: (tx: Db) => Promise<unknown>, options = {}) => {
    const operation = currentOperation();
    if (operation) operation.pending += 1;
    return prisma.$transaction(work, { ...options, maxWait: 600_000, timeout: 600_000 }).finally(() => {
      if (operation) operation.pending = 0;
    });
  };
  const get = (its: PrismaClient, name: keyof PrismaClient) => (name === "$transaction" ? $transaction : its[name]);
  return { pool, prisma: new Proxy(prisma, { get } as ProxyHandler<PrismaClient>) };
}

/** Commands say on stderr what they do. */
function silence(): () => void {
  const { error } = console;
  console.error = () => {};
  return () => {
    console.error = error;
  };
}

export class World {
  readonly model: Model = { persons: [], marks: new Map(), views: new Map() };
  readonly scheduler: Scheduler;
  readonly providers: Providers;
  readonly folder = mkdtempSync(join(tmpdir(), "simulation-"));
  facts: Facts = { now: 0, applications: [], links: [], lifetimes: [], consents: [], messages: [], marks: new Map() };
  checkedContacts = 0;
  /** When the invariants were last checked, in ticks. */
  checkedTick = 0;
  readonly cancelled = new Set<string>();
  /** When an operation began, by the simulated clock. */
  readonly startedAt = new Map<Operation, number>();
  /** Which attempt at which message an operation is, when its claim began, in ticks, and when its lease ends, by the clock. */
  readonly sendings = new Map<Operation, { message: string; attempt: bigint; claimBegan: number; leaseEnds: number }>();
  /** Attempts whose sender was suspended past its lease, and then killed. */
  readonly lostAfterLease = new Set<bigint>();
  violation: Error | undefined;
  lists: { batch: string; persons: Person[]; csv: string; files: string[]; sends: boolean }[] = [];
  perDay = 5000;
  /** The next version's migration has been applied. */
  isMigrated = false;
  private readonly old: (Pick<ApplicationFact, "id" | "erasedAt"> & { began: number })[] = [];
  private numbers = 0;

  constructor(
    readonly stage: Stage,
    private readonly checkStep: (world: World) => void,
  ) {
    this.scheduler = new Scheduler(stage.watch);
    this.providers = new Providers(this.scheduler);
    chooseProviders(this.providers);
  }

  async open(perDay: number): Promise<void> {
    this.perDay = perDay;
    replaceSettings(
      readSettings({ ...settings, DATABASE_URL: this.stage.database.appUrl, MESSAGES_PER_DAY: String(perDay) }),
    );
    await empty(this.stage.owner);
    await this.stage.owner.query("INSERT INTO clock_shifts VALUES ('-infinity', '0')");
    await this.setTime(firstMoment);
  }

  /** The simulated time. It goes on with the machine's between jumps. */
  now(): number {
    return Date.now();
  }

  async jump(ms: number): Promise<void> {
    await this.setTime(Date.now() + ms);
  }

  private async setTime(time: number): Promise<void> {
    await setClock(this.stage.owner, time);
  }

  nextNumber(): number {
    return ++this.numbers;
  }

  /** Starts an operation, and lets everything go on until it waits or is over. */
  async run<T>(
    operation: { name: string; actor?: string; identity?: Operation["identity"]; holdBefore?: number },
    work: () => Promise<T>,
    ended: (operation: Operation, result: T | undefined) => void,
    begun: (operation: Operation) => void = () => {},
  ): Promise<Operation> {
    const started = this.start(operation, work, ended);
    begun(started);
    await this.scheduler.settle();
    return started;
  }

  start<T>(
    { name, actor = "", identity = "app", holdBefore = 0 }: Parameters<World["run"]>[0],
    work: () => Promise<T>,
    ended: (operation: Operation, result: T | undefined) => void,
  ): Operation {
    const started = this.scheduler.start({ name, actor, identity, holdBefore }, work, (operation, result) => {
      try {
        ended(operation, result);
      } catch (error) {
        this.violation ??= error as Error;
      }
    });
    this.startedAt.set(started, this.now());
    return started;
  }

  async kill(operation: Operation): Promise<void> {
    this.loseAfterLease(operation);
    await this.scheduler.kill(operation);
  }

  async restart(): Promise<void> {
    for (const operation of this.scheduler.underWay()) this.loseAfterLease(operation);
    await this.scheduler.restart();
  }

  private loseAfterLease(operation: Operation): void {
    const sending = this.sendings.get(operation);
    if (sending && this.now() >= sending.leaseEnds) this.lostAfterLease.add(sending.attempt);
  }

  /**
   * A retention has ended: what was old when it began is erased, again where something was written after the first time, unless
   * something else was done with it meanwhile.
   */
  expectErased(applications: ApplicationFact[], began: number): void {
    this.old.push(...applications.map(({ id, erasedAt }) => ({ id, erasedAt, began })));
  }

  private checkRetention(): void {
    for (const { id, erasedAt, began } of this.old.splice(0)) {
      const person = this.personOf(id);
      const isTouched = person?.deeds.some((deed) => deed.operation && overlapsOrFollows(deed, began));
      if (person && !isTouched && (!person.erasedAt || person.erasedAt === erasedAt))
        this.fail(`Retention left ${erasedAt ? "what was written after the erasure of " : ""}${person.reference}.`);
    }
  }

  /** Checks every invariant that has to hold after each step. */
  async check(): Promise<void> {
    if (this.violation) throw this.violation;
    const withMarks =
      this.model.persons.some(({ erasedAt }) => erasedAt) || this.facts.applications.some((one) => one.erasedAt);
    this.facts = await readFacts(this.stage.owner, withMarks);
    this.checkStep(this);
    this.checkRetention();
    this.checkedTick = this.scheduler.tick;
    if (this.violation) throw this.violation;
  }

  /** Ends what still goes on, without a trace of it. */
  async leave(): Promise<void> {
    for (const operation of this.scheduler.underWay()) await this.kill(operation);
    rmSync(this.folder, { recursive: true, force: true });
  }

  personOf(application: string | null): Person | undefined {
    return this.model.persons.find((one) => one.application === application);
  }

  fail(sentence: string): never {
    throw new Violation(sentence);
  }

  newContacts(): Contact[] {
    const fresh = this.providers.contacts.slice(this.checkedContacts);
    this.checkedContacts = this.providers.contacts.length;
    return fresh;
  }
}
