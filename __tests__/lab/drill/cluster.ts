import { connect } from "node:net";
import { newServer, programWith } from "@/__tests__/lab/promises/support/new-server";
import type { World } from "@/__tests__/lab/promises/support/world";
import { setStandbys } from "@/__tests__/support/processes/postgres";
import { type Server, startStandby } from "@/__tests__/support/processes/servers";
import { join, startTcpServer } from "@/__tests__/support/tcp-server";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";

/** Starts a primary behind a switch, as Patroni and HAProxy run it, without their delay in noticing failures. */
export async function startCluster({ after }: World) {
  const program = programWith("pg_basebackup");
  const first = await newServer(program);
  after(first.stop);
  const route = await startTcpServer((client) => join(client, connect(portOf(cluster.primary), "127.0.0.1")));
  after(route.stop);
  const owner = new URL(first.owner);
  owner.port = String(route.port);
  const cluster = {
    /** The owner's URL through the switch. */
    owner: owner.href,
    primary: first as Server,
    standby: first as Server,
    /**
     * Promotes the standby and points the switch at it. Commits on the new primary at first wait for no standby. Resolves with
     * the milliseconds that the promotion took.
     */
    async promote(): Promise<number> {
      const begun = performance.now();
      await setStandbys(cluster.standby.urlOf("postgres"), "");
      await query(cluster.standby, "SELECT pg_promote()");
      const took = performance.now() - begun;
      cluster.primary = cluster.standby;
      // As HAProxy's on-marked-down does.
      route.endConnections();
      return took;
    },
    /** Gives the primary a new standby, for which commits wait by default. */
    async addStandby(commitsWait = true): Promise<void> {
      cluster.standby = await startStandby(program, cluster.primary);
      after(cluster.standby.stop);
      await setStandbys(cluster.primary.urlOf("postgres"), commitsWait ? "*" : "");
      const streamingStandby = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${commitsWait ? "sync" : "async"}'`;
      const isStreaming = async () => (await query(cluster.primary, streamingStandby)).length === 1;
      await until(isStreaming, 30_000, "the standby did not stream");
    },
    /** Suspends the primary's WAL sender, so commits no longer reach the standby. Resolves with a function that kills it. */
    async holdReplication(): Promise<() => void> {
      const [sender] = await query(cluster.primary, "SELECT pid FROM pg_stat_replication");
      process.kill(sender.pid, "SIGSTOP");
      return () => process.kill(sender.pid, "SIGKILL");
    },
  };
  return cluster;
}

const portOf = (server: Server) => Number(new URL(server.urlOf("postgres")).port);

/** Runs a statement as the administrator, and resolves with its rows. */
export const query = (server: Server, text: string) =>
  withConnection(server.urlOf("postgres"), async (client) => (await client.query(text)).rows);
