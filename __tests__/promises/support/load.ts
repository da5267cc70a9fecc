import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import type { World } from "./world";

/** One application under load, with its last acknowledged and its pending save. */
interface Writer {
  id: string;
  token: string;
  attempted: number;
  acknowledged: number;
}

export interface Load {
  statuses: number[];
  unanswered: number;
  acknowledged(): number;
  stop(): Promise<void>;
  /** Applications whose row matches neither the last acknowledged nor the pending save. */
  lost(sql: World["sql"]): Promise<Writer[]>;
}

/**
 * Each writer saves again as soon as it is answered, until stopped; or every so many milliseconds, in turn with the others,
 * and a late one catches up.
 */
export async function startLoad(app: Pick<App, "url">, count: number, every = 0): Promise<Load> {
  const writers: Writer[] = (await several(count, 4, () => invited())).map(({ id, token }) => ({
    id,
    token,
    attempted: 0,
    acknowledged: 0,
  }));
  const statuses: number[] = [];
  let stopped = false;
  const load: Load = {
    statuses,
    unanswered: 0,
    acknowledged: () => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    async stop() {
      stopped = true;
      await done;
    },
    async lost(sql) {
      const found: Writer[] = [];
      for (const writer of writers) {
        const [row] = await sql<{ firstName: string }>(`SELECT "firstName" FROM applications WHERE id = $1`, [
          writer.id,
        ]);
        const stored = Number(row?.firstName.replace(/\D/g, "") || 0);
        if (stored < writer.acknowledged || stored > writer.attempted) found.push(writer);
      }
      return found;
    },
  };
  const begun = performance.now();
  const write = async (writer: Writer, index: number) => {
    for (let due = begun + (index / count) * every; !stopped; due += every) {
      if (every) await sleep(Math.max(0, due - performance.now()));
      writer.attempted += 1;
      const n = writer.attempted;
      const data = { ...landlord, firstName: `Ada ${n}` };
      try {
        const { status } = await call(app, "submit-step-1", { token: writer.token, data });
        statuses.push(status);
        if (status === 200) writer.acknowledged = n;
      } catch {
        load.unanswered += 1;
        await sleep(50);
      }
    }
  };
  const done = Promise.all(writers.map(write));
  return load;
}
