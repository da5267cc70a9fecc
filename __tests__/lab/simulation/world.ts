import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import { judgeRefusal } from "@/lib/server/channels/account-fault";
import { createDatabase, type Database, type Db } from "@/lib/server/db/client";
import { readSettings, replaceSettings } from "@/lib/server/settings";
import type { PrismaClient } from "@/prisma/generated/client";
import { restoreDate, setClock, shiftDate } from "./clock";
import { connected, empty, type SimulationDatabase } from "./database";
import { type ApplicationFact, type Facts, type MessageFact, readFacts } from "./facts";
import { interceptStatements } from "./intercept-statements";
import { type Model, overlapsOrFollows, type Person, Violation } from "./model";
import { type Contact, Providers, replaceProviders, setProviders } from "./providers";
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

/** A Monday in Sydney, during business hours. */
const firstMoment = Date.UTC(2026, 10, 23, 0, 0);

export type Environment = Awaited<ReturnType<typeof openEnvironment>>;

/** Prepares this process: the clock, the providers, and a pool for each of the product's identities. */
export async function openEnvironment(database: SimulationDatabase) {
  const owner = await connected(database.ownerUrl);
  const watch = await connected(database.ownerUrl);
  process.env.DATABASE_URL = database.appUrl;
  const undo = [forgetLongTimers(), interceptStatements(), replaceProviders(), separateIdentities(database), silence()];
  shiftDate();
  replaceSettings(readSettings({ ...settings, DATABASE_URL: database.appUrl }));
  const worker = withLongTransactions(createDatabase({ url: database.appUrl, max: 2, timeoutMs: 60_000 }));
  return {
    owner,
    watch,
    database,
    /** The Prisma client that the worker's operations use. */
    worker: worker.prisma,
    async close(): Promise<void> {
      restoreDate();
      await abandon(worker);
      for (const restore of undo.reverse()) await restore();
      await Promise.all([owner.end(), watch.end()]);
    },
  };
}

/** Ends the connections one by one: the client and the pool would wait for transactions of killed operations forever. */
async function abandon({ prisma, pool }: Database): Promise<void> {
  prisma.$disconnect().catch(() => {});
  const { _clients } = pool as unknown as { _clients: Client[] };
  const clients = [..._clients];
  pool.end().catch(() => {});
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
}

/** Calls and the worker use the app's pool, commands the pool of operations. The product has one pool per process. */
function separateIdentities({ appUrl, operationsUrl }: SimulationDatabase): () => Promise<void> {
  const databases: Partial<Record<Operation["identity"], Database>> = {};
  const urls = { app: appUrl, operations: operationsUrl };
  const identityInUse = () => currentOperation()?.identity ?? "app";
  // Only one operation runs at a time, so the environment can follow it.
  Scheduler.resumed = ({ identity }) => {
    process.env.DATABASE_URL = urls[identity];
  };
  const name = "rentAdvanceDatabase";
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => databases[identityInUse()],
    set(value?: Database) {
      databases[identityInUse()] = value && withLongTransactions(value);
    },
  });
  return async () => {
    Reflect.deleteProperty(globalThis, name);
    await Promise.all(Object.values(databases).map(abandon));
  };
}

/** Unrefs long timers: those of killed transactions would keep the process alive for minutes. */
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

/** Raises Prisma's time limits for transactions, because a held transaction can exceed the product's limits. */
function withLongTransactions({ prisma, ...database }: Database): Database {
  const $transaction = (work: (tx: Db) => Promise<unknown>, options = {}) =>
    prisma.$transaction(work, { ...options, maxWait: 600_000, timeout: 600_000 });
  const get = (client: PrismaClient, name: keyof PrismaClient) =>
    name === "$transaction" ? $transaction : client[name];
  return { ...database, prisma: new Proxy(prisma, { get } as ProxyHandler<PrismaClient>) };
}

/** Silences stderr, on which commands report what they do. */
function silence(): () => void {
  const { error } = console;
  console.error = () => {};
  return () => {
    console.error = error;
  };
}

/** An old application that a retention must erase. */
interface DueForErasure extends Pick<ApplicationFact, "id" | "erasedAt"> {
  /** The tick at which the retention began. */
  began: number;
  /** The number of fresh links that had been requested by then. */
  freshLinks: number;
}

/** A fresh link that is still to be sent keeps its application. */
export const isToBeSent = ({ state }: MessageFact) => state === "waiting" || state === "sending";

export class World {
  readonly model: Model = { persons: [], canaries: new Map(), views: new Map() };
  readonly scheduler: Scheduler;
  readonly providers: Providers;
  readonly folder = mkdtempSync(join(tmpdir(), "simulation-"));
  facts: Facts = { applications: [], links: [], lifetimes: [], consents: [], messages: [], canaries: new Map() };
  checkedContacts = 0;
  /** The tick at which the invariants were last checked. */
  checkedTick = 0;
  readonly cancelled = new Set<string>();
  /** The simulated time at which each operation began. */
  readonly startedAt = new Map<Operation, number>();
  /** For each sending operation: its message and attempt, the tick of its claim, and the simulated time its lease ends. */
  readonly sendings = new Map<Operation, { message: string; attempt: bigint; claimBegan: number; leaseEnds: number }>();
  /** Attempts whose sender was suspended past its lease and then killed. */
  readonly lostAfterLease = new Set<bigint>();
  /** For the number of each message that an operator has retried, the tick of the retry. */
  readonly retriedAt = new Map<number, number>();
  /** When an operator cancelled a message, by its number. A later retry removes it. */
  readonly cancelledAt = new Map<number, number>();
  violation: Error | undefined;
  lists: { batch: string; persons: Person[]; csv: string; files: string[]; sends: boolean }[] = [];
  perDay = 5000;
  /** The next version's migration has been applied. */
  isMigrated = false;
  private readonly dueForErasure: DueForErasure[] = [];
  private numbers = 0;

  constructor(
    readonly environment: Environment,
    private readonly checkStep: (world: World) => void,
  ) {
    this.scheduler = new Scheduler(environment.watch);
    this.providers = new Providers(this.scheduler);
    setProviders(this.providers);
    // A world does not know what the one before it was refused.
    for (const channel of ["email", "sms", "webhook"] as const) judgeRefusal(channel, { state: "sent" });
  }

  async open(perDay: number): Promise<void> {
    this.perDay = perDay;
    replaceSettings(
      readSettings({ ...settings, DATABASE_URL: this.environment.database.appUrl, MESSAGES_PER_DAY: String(perDay) }),
    );
    await empty(this.environment.owner);
    await this.environment.owner.query("INSERT INTO clock_shifts VALUES ('-infinity', '0')");
    await setClock(this.environment.owner, firstMoment);
  }

  /** The simulated time, which runs at the machine's speed between jumps. */
  now(): number {
    return Date.now();
  }

  async jump(ms: number): Promise<void> {
    await setClock(this.environment.owner, Date.now() + ms);
  }

  nextNumber(): number {
    return ++this.numbers;
  }

  /** Starts an operation, and runs everything until it waits or is over. */
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

  freshLinksOf(application: string): MessageFact[] {
    return this.facts.messages.filter(
      (message) => message.application === application && message.kind === "fresh-link",
    );
  }

  /**
   * Called when a retention has ended. Applications that were old when it began must be erased, and erased again if something
   * was written after an earlier erasure, unless another operation has changed them or requested a fresh link meanwhile.
   */
  expectErased(applications: Omit<DueForErasure, "began">[], began: number): void {
    this.dueForErasure.push(...applications.map((application) => ({ ...application, began })));
  }

  private checkRetention(): void {
    for (const { id, erasedAt, began, freshLinks } of this.dueForErasure.splice(0)) {
      const person = this.personOf(id);
      const requested = this.freshLinksOf(id);
      if (requested.length !== freshLinks || requested.some(isToBeSent)) continue;
      const isTouched = person?.actions.some((action) => action.operation && overlapsOrFollows(action, began));
      if (person && !isTouched && (!person.erasedAt || person.erasedAt === erasedAt))
        this.fail(`Retention kept ${erasedAt ? "what was written after the erasure of " : ""}${person.reference}.`);
    }
  }

  async check(): Promise<void> {
    if (this.violation) throw this.violation;
    const withCanaries =
      this.model.persons.some(({ erasedAt }) => erasedAt) || this.facts.applications.some(({ erasedAt }) => erasedAt);
    // A blocked operation may get its lock and end while the facts are read, such as after a deadlock.
    let tick: number;
    do {
      tick = this.scheduler.tick;
      this.facts = await readFacts(this.environment.owner, withCanaries);
      await this.scheduler.settle();
    } while (this.scheduler.tick !== tick);
    this.checkStep(this);
    this.checkRetention();
    this.checkedTick = this.scheduler.tick;
    if (this.violation) throw this.violation;
  }

  /** Kills every operation that is still under way, and removes the world's files. */
  async leave(): Promise<void> {
    for (const operation of this.scheduler.underWay()) await this.kill(operation);
    rmSync(this.folder, { recursive: true, force: true });
  }

  personOf(application: string | null): Person | undefined {
    return this.model.persons.find((person) => person.application === application);
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
