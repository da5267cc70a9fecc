import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool, PoolClient } from "pg";
import { stopwatch } from "./clock";
import { observer } from "./database";

/**
 * Interleaves operations of the product, one statement at a time. An operation waits for its turn before each statement, so
 * the same steps give the same order. A held operation is suspended before one of its statements while others continue. A
 * blocked operation waits for a lock in Postgres and gets its next turn once it has the lock.
 */
export type State = "running" | "ready" | "held" | "blocked" | "provider" | "ended" | "killed";

export interface Operation {
  name: string;
  /** The worker that runs it; empty for calls and commands. */
  actor: string;
  identity: "app" | "operations";
  state: State;
  began: number;
  /** The tick at which it ended; undefined while it is under way and if it was killed. */
  ended?: number;
  /** Postgres was restarted while it was under way, or it was killed. */
  isDisturbed: boolean;
  statements: number;
  /** The number of the statement before which it is held; 0 for none. */
  holdBefore: number;
  /** The tick at which its last statement was sent. */
  lastStatement: number;
  error?: unknown;
  go?: () => void;
  /** The connection of its open transaction, or of the statement that it has sent. */
  client?: Client | undefined;
  isInTransaction?: boolean;
  waitsSince?: number | undefined;
}

interface Context {
  operation: Operation;
  /** Set within a pool query, which has already had its turn. */
  isPassing?: boolean;
}

export const context = new AsyncLocalStorage<Context>();
export const currentOperation = () => context.getStore()?.operation;

export const never = new Promise<never>(() => {});
/** A statement that takes longer may be waiting for a lock. */
const suspiciousMs = 3;
const patienceMs = 30_000;

let current: Scheduler | undefined;
export const currentScheduler = () => current;

export class Scheduler {
  readonly operations: Operation[] = [];
  tick = 0;
  /** Whether a transaction has ended since the locks were last queried. */
  private mayHaveReleased = false;
  /** Called before an operation continues. */
  static resumed: (operation: Pick<Operation, "identity">) => void = () => {};
  private changed = () => {};

  /** `watch` is a superuser's connection that no operation uses, so it never waits for a lock. */
  constructor(private readonly watch: Client) {
    current = this;
  }

  /** Starts an operation and calls `ended` as soon as it is over. */
  start<T>(
    options: Pick<Operation, "name" | "actor" | "identity" | "holdBefore">,
    work: () => Promise<T>,
    ended: (operation: Operation, result: T | undefined) => void,
  ): Operation {
    const operation: Operation = {
      ...options,
      state: "running",
      began: ++this.tick,
      isDisturbed: false,
      statements: 0,
      lastStatement: this.tick,
    };
    this.operations.push(operation);
    const end = (error: unknown, result: T | undefined) => {
      if (operation.state === "killed") return;
      operation.error = error;
      operation.state = "ended";
      operation.ended = ++this.tick;
      ended(operation, result);
      this.changed();
    };
    Scheduler.resumed(operation);
    context.run({ operation }, work).then(
      (result) => end(undefined, result),
      (error) => end(error ?? new Error("No error"), undefined),
    );
    return operation;
  }

  /** Waits before a statement until it is this operation's turn. */
  async turn(operation: Operation): Promise<void> {
    if (operation.state === "killed") await never;
    operation.statements += 1;
    const isHeld = operation.statements === operation.holdBefore;
    operation.state = isHeld ? "held" : "ready";
    await this.wait(operation);
    operation.lastStatement = ++this.tick;
  }

  /** Suspends the operation until the scheduler gives it a turn. */
  async wait(operation: Operation, state = operation.state): Promise<void> {
    operation.state = state;
    this.changed();
    await new Promise<void>((resolve) => {
      operation.go = resolve;
    });
    if (operation.state === "killed") await never;
    operation.state = "running";
    Scheduler.resumed(operation);
  }

  sent(operation: Operation, client: Client): void {
    operation.client = client;
    operation.waitsSince = stopwatch();
    this.changed();
  }

  statementEnded(operation: Operation, isOver: boolean, mayHaveReleased = isOver): void {
    operation.waitsSince = undefined;
    this.mayHaveReleased ||= mayHaveReleased;
    if (isOver) {
      operation.client = undefined;
      operation.isInTransaction = false;
    }
    if (operation.state === "blocked") operation.state = "running";
    this.changed();
  }

  underWay(): Operation[] {
    return this.operations.filter(({ state }) => state !== "ended" && state !== "killed");
  }

  /** Releases a held operation. If `statements` is n > 0, it is held again before its nth statement from here. */
  release(operation: Operation, statements = 0): void {
    operation.holdBefore = statements > 0 ? operation.statements + statements : 0;
    operation.state = "ready";
  }

  /** Gives turns until every operation is held, blocked, waiting for a provider, or over. */
  async settle(): Promise<void> {
    for (;;) {
      await this.waitForRunning();
      const next = this.operations.find(({ state }) => state === "ready");
      if (!next) return Scheduler.resumed({ identity: "app" });
      next.state = "running";
      next.go?.();
    }
  }

  private async waitForRunning(): Promise<void> {
    const began = stopwatch();
    for (;;) {
      const running = this.operations.filter(({ state }) => state === "running");
      const blocked = this.operations.filter(({ state }) => state === "blocked");
      if (running.length === 0 && (blocked.length === 0 || !(await this.wakeUnblocked(blocked)))) return;
      await this.change();
      // Only transactions that stay open hold locks that others can wait for.
      const lockHolders = this.operations.filter(({ isInTransaction, state }) => isInTransaction && state !== "ended");
      const late = running.filter(
        (operation) =>
          operation.state === "running" &&
          operation.waitsSince !== undefined &&
          stopwatch() - operation.waitsSince > suspiciousMs &&
          lockHolders.some((other) => other !== operation),
      );
      if (late.length > 0) {
        const waiting = await this.waitingForLocks();
        for (const operation of late)
          if (operation.state === "running" && waiting.has(pidOf(operation))) operation.state = "blocked";
      }
      if (stopwatch() - began > patienceMs)
        throw new Error(
          `These operations do not end: ${running.map(({ name, statements }) => `${name} (${statements})`)}`,
        );
    }
  }

  /** Resolves when a state has changed, or when it is time to look for waits for locks. */
  private change(): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, suspiciousMs);
      this.changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Marks blocked operations that have got their lock as running, since their answer is on its way. */
  private async wakeUnblocked(blocked: Operation[]): Promise<boolean> {
    if (!this.mayHaveReleased) return false;
    this.mayHaveReleased = false;
    const waiting = await this.waitingForLocks();
    const woken = blocked.filter((operation) => operation.state === "blocked" && !waiting.has(pidOf(operation)));
    for (const operation of woken) {
      operation.state = "running";
      operation.waitsSince = stopwatch();
    }
    return blocked.some(({ state }) => state !== "blocked");
  }

  private async waitingForLocks(): Promise<Set<number>> {
    const { rows } = await this.watch.query("SELECT pid FROM pg_locks WHERE NOT granted");
    return new Set(rows.map(({ pid }) => pid));
  }

  /** Acts like kill -9: the operation does nothing more, and its transaction is rolled back. */
  async kill(operation: Operation): Promise<void> {
    const { client, isInTransaction } = operation;
    operation.state = "killed";
    operation.isDisturbed = true;
    if (!client) return;
    await this.terminate(`pid = ${(client as Connected).processID}`);
    if (isInTransaction) (client as Partial<PoolClient>).release?.(true);
  }

  /** Ends every connection, as a restart of Postgres does. The promises and `npm run drill` kill the server itself. */
  async restart(): Promise<void> {
    for (const operation of this.underWay()) operation.isDisturbed = true;
    await this.terminate(`datname = current_database() AND application_name <> '${observer}'`);
    // Pools notice closed connections asynchronously.
    while (pools.some((pool) => pool.idleCount > 0)) await sleep(1);
  }

  private async terminate(which: string): Promise<void> {
    await this.watch.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which}`);
    const remaining = `SELECT FROM pg_stat_activity WHERE ${which}`;
    while ((await this.watch.query(remaining)).rowCount) await sleep(1);
    this.mayHaveReleased = true;
  }
}

type Connected = Client & { processID: number };
const pidOf = ({ client }: Operation) => (client as Connected | undefined)?.processID ?? 0;

/** Every pool from which an operation has taken a connection. */
export const pools: Pool[] = [];
