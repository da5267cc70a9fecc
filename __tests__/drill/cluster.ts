import { connect } from "node:net";
import { newServer, programWith } from "@/__tests__/promises/support/new-server";
import { type Server, startStandby } from "@/__tests__/support/processes/servers";
import { join, startTcpServer } from "@/__tests__/support/tcp-server";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";

/** A primary and its standby behind a switch, as Patroni and HAProxy run them, without their delay in noticing failures. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster() {
  const program = programWith("pg_basebackup");
  const first = await newServer(program);
  let [primary, standby]: Server[] = [first, first];
  const servers = new Set<Server>([first]);
  const route = await startSwitch();
  route.forwardTo(portOf(first));
  const owner = new URL(first.owner);
  owner.port = String(route.port);
  const cluster = {
    /** The owner's URL through the switch. */
    owner: owner.href,
    primary: () => primary as Server,
    standby: () => standby as Server,
    /**
     * Promotes the standby and points the switch at it. Commits on the new primary at first wait for no standby. Resolves with
     * the milliseconds that the promotion took.
     */
    async promote(): Promise<number> {
      const begun = performance.now();
      await waitForStandbys(cluster.standby(), "");
      await execute(cluster.standby(), "SELECT pg_promote()");
      const took = performance.now() - begun;
      primary = standby;
      route.forwardTo(portOf(cluster.primary()));
      return took;
    },
    /** Gives the primary a new standby, for which commits wait by default. */
    async addStandby(commitsWait = true): Promise<void> {
      standby = await startStandby(program, cluster.primary());
      servers.add(standby);
      await waitForStandbys(cluster.primary(), commitsWait ? "*" : "");
      const streamingStandby = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${commitsWait ? "sync" : "async"}'`;
      const isStreaming = async () => (await execute(cluster.primary(), streamingStandby)) === 1;
      await until(isStreaming, 30_000, "the standby did not stream");
    },
    /** Suspends the primary's WAL sender, so commits no longer reach the standby. Resolves with a function that kills it. */
    async holdReplication(): Promise<() => void> {
      const sender = await withConnection(cluster.primary().urlOf("postgres"), async (client) => {
        const { rows } = await client.query("SELECT pid FROM pg_stat_replication");
        return rows[0].pid;
      });
      process.kill(sender, "SIGSTOP");
      return () => process.kill(sender, "SIGKILL");
    },
    async stop() {
      route.stop();
      for (const server of servers) {
        await server.kill();
        await server.stop();
      }
    },
  };
  return cluster;
}

const portOf = (server: Server) => Number(new URL(server.urlOf("postgres")).port);

/** Runs a statement and resolves with the number of its rows. */
async function execute(server: Server, text: string): Promise<number | null> {
  return withConnection(server.urlOf("postgres"), async (client) => (await client.query(text)).rowCount);
}

async function waitForStandbys(server: Server, names: "*" | ""): Promise<void> {
  await execute(server, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await execute(server, "SELECT pg_reload_conf()");
}

/** A port that forwards to another one. A new target ends every connection, as HAProxy's on-marked-down does. */
async function startSwitch() {
  let target = 0;
  const { port, endConnections, stop } = await startTcpServer((client) => join(client, connect(target, "127.0.0.1")));
  const forwardTo = (next: number) => {
    target = next;
    endConnections();
  };
  return { port, forwardTo, stop };
}
