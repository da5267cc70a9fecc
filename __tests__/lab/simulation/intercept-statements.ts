import { Client, Pool } from "pg";
import { context, currentOperation, currentScheduler, never, type Operation, pools, type Scheduler } from "./scheduler";

type Send = (this: object, ...args: unknown[]) => Promise<unknown>;

/** Makes every statement of an operation wait for its turn. Returns a function that restores the original methods. */
export function interceptStatements(): () => void {
  const client = Client.prototype as unknown as { query: Send };
  const pool = Pool.prototype as unknown as { query: Send; connect: Send };
  const original = { client: client.query, pool: pool.query, connect: pool.connect };
  const clientsWithHandler = new WeakSet<object>();

  pool.connect = function (...args) {
    // Held operations keep their connections, so the pool needs more than its own maximum.
    (this as unknown as { options: { max: number } }).options.max = 200;
    if (!pools.includes(this as Pool)) pools.push(this as Pool);
    return original.connect.apply(this, args);
  };

  pool.query = function (...args) {
    const operation = currentOperation();
    const scheduler = currentScheduler();
    if (!operation || !scheduler) return original.pool.apply(this, args);
    return scheduler
      .turn(operation)
      .then(() => context.run({ operation, isPassing: true }, () => original.pool.apply(this, args)))
      .then(...settling(scheduler, operation, true));
  };

  client.query = function (...args) {
    const { operation, isPassing } = context.getStore() ?? {};
    const scheduler = currentScheduler();
    if (!operation || !scheduler) return original.client.apply(this, args);
    if (!clientsWithHandler.has(this)) (this as Client).on("error", () => {});
    clientsWithHandler.add(this);
    if (isPassing) {
      // A restart may have ended the transaction before. The pool itself releases the client of its own query.
      operation.isInTransaction = false;
      scheduler.sent(operation, this as Client);
      return original.client.apply(this, args);
    }
    const text = typeof args[0] === "string" ? args[0] : (args[0] as { text?: string }).text;
    operation.client = this as Client;
    operation.isInTransaction = true;
    return scheduler
      .turn(operation)
      .then(() => {
        scheduler.sent(operation, this as Client);
        return original.client.apply(this, args);
      })
      .then(...settling(scheduler, operation, /^\s*(COMMIT|ROLLBACK)/i.test(text ?? "")));
  };

  return () => {
    client.query = original.client;
    pool.query = original.pool;
    pool.connect = original.connect;
  };
}

/** Handlers for the result of a statement. A killed operation receives neither results nor errors. */
function settling(scheduler: Scheduler, operation: Operation, isOver: boolean) {
  return [
    (result: unknown) => {
      if (operation.state === "killed") return never;
      scheduler.statementEnded(operation, isOver);
      return result;
    },
    (error: unknown) => {
      if (operation.state === "killed") return never;
      scheduler.statementEnded(operation, isOver, true);
      throw error;
    },
  ] as const;
}
