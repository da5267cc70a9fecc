import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "pg";

/** Starts bare-server.ts as its own process. */
export async function startBareServer(database: string) {
  const child = spawn(process.execPath, ["--require", "tsx/cjs", "__tests__/bench/bare-server.ts"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, DATABASE_URL: database },
  });
  const [port] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}`, end: () => child.kill() };
}

/** Prepared single-row reads or writes per second on ten connections, as pgbench measures them. */
export async function statements(database: string, kind: "read" | "write", applications: number): Promise<number> {
  const text = {
    read: `SELECT * FROM applications WHERE id = md5('application' || $1::int)::uuid`,
    write: `UPDATE applications SET "updatedAt" = now() WHERE id = md5('application' || $1::int)::uuid`,
  }[kind];
  const seconds = 1;
  const end = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const client = new Client({ connectionString: database });
      await client.connect();
      let count = 0;
      for (; performance.now() < end; count += 1)
        await client.query({ name: kind, text, values: [1 + Math.floor(Math.random() * applications)] });
      await client.end();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}
