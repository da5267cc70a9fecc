import { Client, Pool } from "pg";
import { context, currentOperation, currentScheduler, never, type Operation, pools, type Scheduler } from "./scheduler";

type Send = (this: object, ...given: unknown[]) => Promise<unknown>;

/** From now on every statement of an operation waits for its turn. Returns a function that takes this back. */
export function interceptStatements(): () => void {
  const client = Client.prototype as unknown as { query: Send };
  const pool = Pool.prototype as unknown as { query: Send; connect: Send };
  const original = { client: client.query, pool: pool.query, connect: pool.connect };
  const known = new WeakSet<object>();

  pool.connect = function (...given) {
    // Operations that are held keep their connections.
    (this as unknown as { options: { max: number } }).options.max = 200;
    if (!pools.includes(this as Pool)) pools.push(this as Pool);
    return original.connect.apply(this, given);
  };

  pool.query = function (...given) {
    const operation = currentOperation();
    const scheduler = currentScheduler();
    if (!operation || !scheduler) return original.pool.apply(this, given);
    operation.pending += 1;
    return scheduler
      .turn(operation)
      .then(() => context.run({ operation, isPassing: true }, () => original.pool.apply(this, given)))
      .then(...settling(scheduler, operation, true));
  };

  client.query = function (...given) {
    const { operation, isPassing } = context.getStore() ?? {};
    const scheduler = currentScheduler();
    if (!operation || !scheduler) return original.client.apply(this, given);
    if (!known.has(this)) (this as Client).on("error", () => {});
    known.add(this);
    if (isPassing) {
      scheduler.sent(operation, this as Client);
      return original.client.apply(this, given);
    }
    const text = typeof given[0] === "string" ? given[0] : (given[0] as { text?: string }).text;
    operation.client = this as Client;
    operation.isInTransaction = true;
    return scheduler
      .turn(operation)
      .then(() => {
        scheduler.sent(operation, this as Client);
        return original.client.apply(this, given);
      })
      .then(...settling(scheduler, operation, /^\s*(COMMIT|ROLLBACK)/i.test(text ?? "")));
  };

  return () => {
    client.query = original.client;
    pool.query = original.pool;
    pool.connect = original.connect;
  };
}

/** A killed operation hears nothing any more. */
function settling(scheduler: Scheduler, operation: Operation, isOver: boolean) {
  return [
    (result: unknown) => {
      if (operation.state === "killed") return never;
      scheduler.answered(operation, isOver);
      return result;
    },
    (error: unknown) => {
      if (operation.state === "killed") return never;
      scheduler.answered(operation, isOver, true);
      throw error;
    },
  ] as const;
}
