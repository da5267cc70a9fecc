import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool, PoolClient } from "pg";
import { stopwatch } from "./clock";
import { observer } from "./database";

/**
 * Runs operations of the product side by side, one statement at a time: an operation waits before each statement until it is
 * its turn, so that the same commands give the same order. An operation may be held before one of its statements; others go
 * on meanwhile. One that waits for a lock is left alone until it has the lock.
 */
export type State = "running" | "ready" | "held" | "blocked" | "provider" | "ended" | "killed";

export interface Operation {
  id: number;
  name: string;
  /** Which worker, or whose command. */
  actor: string;
  identity: "app" | "operations";
  state: State;
  began: number;
  /** When it ended, in ticks; undefined while it goes on, or where it was killed. */
  ended?: number;
  /** Postgres was restarted meanwhile, or the operation was killed. */
  isDisturbed: boolean;
  statements: number;
  /** The statement before which it is held. */
  holdBefore: number;
  /** When its last statement was sent, in ticks. */
  lastStatement: number;
  error?: unknown;
  go?: () => void;
  /** The connection of its transaction, or of its statement on the way. */
  client?: Client | undefined;
  isInTransaction?: boolean;
  /** Queries of a pool that it waits for. */
  pending: number;
  waitsSince?: number | undefined;
}

interface Context {
  operation: Operation;
  /** Within a query of a pool, which has had its turn. */
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
  /** Called before an operation goes on. */
  static resumed: (operation: Pick<Operation, "identity">) => void = () => {};
  private changed = () => {};

  /** `watch` is a connection of the superuser, on which nobody waits. */
  constructor(private readonly watch: Client) {
    current = this;
  }

  /** Starts an operation; `ended` is called as soon as it is over. Runs until everything waits or is over. */
  start<T>(
    given: Pick<Operation, "name" | "actor" | "identity" | "holdBefore">,
    work: () => Promise<T>,
    ended: (operation: Operation, result: T | undefined) => void,
  ): Operation {
    const operation: Operation = {
      ...given,
      id: this.operations.length,
      state: "running",
      began: ++this.tick,
      isDisturbed: false,
      statements: 0,
      pending: 0,
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

  /** Waits until the world lets it go on. */
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

  answered(operation: Operation, isOver: boolean, mayHaveReleased = isOver): void {
    operation.waitsSince = undefined;
    this.mayHaveReleased ||= mayHaveReleased;
    if (isOver) {
      operation.pending = 0;
      operation.client = undefined;
      operation.isInTransaction = false;
    }
    if (operation.state === "blocked") operation.state = "running";
    this.changed();
  }

  isUnderWay({ state }: Operation): boolean {
    return state !== "ended" && state !== "killed";
  }

  /** What an operation does once it has answered: it waits until that is over as well. */
  async lateStatements(): Promise<void> {
    const operation = currentOperation();
    await immediate();
    while (operation && operation.pending > 0 && operation.state !== "killed") await immediate();
  }

  underWay(): Operation[] {
    return this.operations.filter((one) => this.isUnderWay(one));
  }

  /** Lets a held operation go on, until it is held again before its nth next statement. */
  release(operation: Operation, statements = 0): void {
    operation.holdBefore = statements > 0 ? operation.statements + statements : 0;
    operation.state = "ready";
  }

  /** Gives turns until every operation is held, blocked, waits for a provider, or is over. */
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
      // Locks are held by transactions that stay open.
      const holds = this.operations.filter(({ isInTransaction, state }) => isInTransaction && state !== "ended");
      const late = running.filter(
        (one) =>
          one.state === "running" &&
          one.waitsSince !== undefined &&
          stopwatch() - one.waitsSince > suspiciousMs &&
          holds.some((other) => other !== one),
      );
      if (late.length > 0) {
        const waiting = await this.waitingForLocks();
        for (const one of late) if (one.state === "running" && waiting.has(pidOf(one))) one.state = "blocked";
      }
      if (stopwatch() - began > patienceMs)
        throw new Error(`It does not end: ${running.map(({ name, statements }) => `${name} (${statements})`)}`);
    }
  }

  /** Until a state has changed, or it is time to look for locks. */
  private change(): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, suspiciousMs);
      this.changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Those that have got their lock run again: their answer is on its way. */
  private async wakeUnblocked(blocked: Operation[]): Promise<boolean> {
    if (!this.mayHaveReleased) return false;
    this.mayHaveReleased = false;
    const waiting = await this.waitingForLocks();
    const woken = blocked.filter((one) => one.state === "blocked" && !waiting.has(pidOf(one)));
    for (const one of woken) {
      one.state = "running";
      one.waitsSince = stopwatch();
    }
    return blocked.some(({ state }) => state !== "blocked");
  }

  private async waitingForLocks(): Promise<Set<number>> {
    const { rows } = await this.watch.query("SELECT pid FROM pg_locks WHERE NOT granted");
    return new Set(rows.map(({ pid }) => pid));
  }

  /** As kill -9: nothing of it happens any more, and its transaction is rolled back. */
  async kill(operation: Operation): Promise<void> {
    const { client, isInTransaction } = operation;
    operation.state = "killed";
    operation.isDisturbed = true;
    if (!client) return;
    await this.terminate(`pid = ${(client as Connected).processID}`);
    if (isInTransaction) (client as Partial<PoolClient>).release?.(true);
  }

  /** What a restart of Postgres does to its clients. The promises and `npm run drill` kill the server itself. */
  async restart(): Promise<void> {
    for (const one of this.underWay()) one.isDisturbed = true;
    await this.terminate(`datname = current_database() AND application_name <> '${observer}'`);
    // The pools hear of it by and by.
    while (pools.some((pool) => pool.idleCount > 0)) await sleep(1);
  }

  private async terminate(which: string): Promise<void> {
    await this.watch.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which}`);
    const left = `SELECT FROM pg_stat_activity WHERE ${which}`;
    while ((await this.watch.query(left)).rowCount) await sleep(1);
    this.mayHaveReleased = true;
  }
}

type Connected = Client & { processID: number };
const pidOf = ({ client }: Operation) => (client as Connected | undefined)?.processID ?? 0;

/** Every pool that an operation has taken a connection of. */
export const pools: Pool[] = [];
