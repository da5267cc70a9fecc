import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { type CallResponse, call } from "@/__tests__/support/processes/call";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { same } from "./expect";
import type { World } from "./world";

type Target = Pick<App, "url">;

export type Load = Awaited<ReturnType<typeof startLoad>>;

/**
 * Starts `count` writers, which save their applications until stopped: as soon as the previous save is answered or, staggered,
 * once in `every` milliseconds. A writer that is late catches up.
 */
export async function startLoad(app: Target, count: number, every = 0) {
  const invitations = await runConcurrently(count, 4, () => invited());
  const writers = invitations.map(({ id, token }) => ({ id, token, attempted: 0, saved: [0] }));
  let stopped = false;
  /** Returns each writer with the number of the save that its row holds. */
  const stored = async (sql: World["sql"]) => {
    const ids = writers.map(({ id }) => id);
    const rows = await sql(`SELECT id, "firstName" FROM applications WHERE id = ANY ($1)`, [ids]);
    const lastOf = new Map(rows.map(({ id, firstName }) => [id, Number(firstName.replace(/\D/g, ""))]));
    return writers.map((writer) => ({ ...writer, last: lastOf.get(writer.id) ?? -1 }));
  };
  const load = {
    statuses: [] as number[],
    unanswered: 0,
    acknowledged: () => writers.reduce((sum, { saved }) => sum + saved.length - 1, 0),
    async stop(): Promise<void> {
      stopped = true;
      await done;
    },
    /** The number of acknowledged saves that are no longer in the database. */
    async lost(sql: World["sql"]) {
      const all = await stored(sql);
      return all.reduce((sum, { saved, last }) => sum + saved.filter((number) => number > last).length, 0);
    },
    /** Expects that each row holds its last acknowledged save, or a later one that was attempted. */
    async expectNoneLost(sql: World["sql"]) {
      const all = await stored(sql);
      const lost = all.filter(({ saved, attempted, last }) => last < (saved.at(-1) ?? 0) || last > attempted);
      same(lost, [], "acknowledged saves that were lost");
    },
  };
  const begun = performance.now();
  const write = async (writer: (typeof writers)[number], index: number) => {
    for (let due = begun + (index / count) * every; !stopped; due += every) {
      if (every) await sleep(Math.max(0, due - performance.now()));
      writer.attempted += 1;
      const n = writer.attempted;
      try {
        const data = { ...landlord, firstName: `Ada ${n}` };
        const { status } = await call(app, "submit-step-1", { token: writer.token, data });
        load.statuses.push(status);
        if (status === 200) writer.saved.push(n);
      } catch {
        load.unanswered += 1;
        await sleep(50);
      }
    }
  };
  const done = Promise.all(writers.map(write));
  return load;
}

/** Saves in an open loop: at a fixed rate, without waiting for earlier responses. */
export async function saveAtFixedRate(app: Target, perSecond: number, seconds: number, tokens: string[]) {
  const begun = performance.now();
  const responses: Promise<CallResponse>[] = [];
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = begun + (n * 1000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    responses.push(call(app, "submit-step-1", { token: tokens[n % tokens.length], data: landlord }));
  }
  return Promise.all(responses);
}
