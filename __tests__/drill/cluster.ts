import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { newServer, programWith } from "@/__tests__/promises/support/new-server";
import { withClient } from "@/__tests__/support/processes/postgres";
import { type Server, startStandby } from "@/__tests__/support/processes/servers";

const patience = 30_000;

/** A primary and its standby behind a switch: what Patroni and HAProxy keep, without the wait until they notice a failure. */
export interface Cluster {
  /** The owner's URL, by way of the switch. */
  owner: string;
  primary(): Server;
  standby(): Server;
  /**
   * Makes the standby the primary, which at first waits for no standby, and leads the switch to it. Resolves with the one
   * before, and the milliseconds that the promotion took.
   */
  promote(): Promise<{ old: Server; took: number }>;
  /** Gives the primary a new standby; by default commits wait for it. */
  addStandby(commitsWait?: boolean): Promise<void>;
  /** Keeps what is committed from the standby, for as long as the primary lives. Resolves with what kills the sender. */
  holdReplication(): Promise<() => void>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const program = programWith("pg_basebackup");
  const first = await newServer(program);
  let [primary, standby]: Server[] = [first, first];
  const servers = new Set<Server>([first]);
  const route = await startSwitch();
  route.leadTo(portOf(first));
  const owner = new URL(first.owner);
  owner.port = String(route.port);
  const cluster: Cluster = {
    owner: owner.href,
    primary: () => primary as Server,
    standby: () => standby as Server,
    async promote() {
      const old = cluster.primary();
      const begun = performance.now();
      await waitForStandbys(cluster.standby(), "");
      await administer(cluster.standby(), "SELECT pg_promote()");
      const took = performance.now() - begun;
      primary = standby;
      route.leadTo(portOf(cluster.primary()));
      return { old, took };
    },
    async addStandby(commitsWait = true) {
      standby = await startStandby(program, cluster.primary());
      servers.add(standby);
      await waitForStandbys(cluster.primary(), commitsWait ? "*" : "");
      const isInStep = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${commitsWait ? "sync" : "async"}'`;
      for (const begun = Date.now(); (await administer(cluster.primary(), isInStep)) !== 1; await sleep(50))
        if (Date.now() - begun > patience) throw new Error("The standby does not stream");
    },
    async holdReplication() {
      const sender = await withClient(cluster.primary().urlOf("postgres"), async (client) => {
        const { rows } = await client.query("SELECT pid FROM pg_stat_replication");
        return rows[0].pid;
      });
      process.kill(sender, "SIGSTOP");
      return () => process.kill(sender, "SIGKILL");
    },
    async stop() {
      await route.stop();
      for (const server of servers) {
        await server.kill();
        await server.stop();
      }
    },
  };
  return cluster;
}

const portOf = (server: Server) => Number(new URL(server.urlOf("postgres")).port);

/** Resolves with the number of rows. */
async function administer(server: Server, text: string): Promise<number | null> {
  return withClient(server.urlOf("postgres"), async (client) => (await client.query(text)).rowCount);
}

async function waitForStandbys(server: Server, names: "*" | ""): Promise<void> {
  await administer(server, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await administer(server, "SELECT pg_reload_conf()");
}

/** A port that leads to another one. Leading it elsewhere ends every connection, as HAProxy's on-marked-down does. */
async function startSwitch() {
  let target = 0;
  const open = new Set<Socket>();
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    client.pipe(upstream).pipe(client);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port: number) {
      target = port;
      endAll();
    },
    async stop() {
      server.close();
      endAll();
      await once(server, "close");
    },
  };
}
