import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** How it fails: a refused connection comes from a closed port, not from here. */
export const failures = ["none", "reset", "cut", "nonsense", "silence"] as const;
export type Failure = (typeof failures)[number];

const answer: Record<Exclude<Failure, "none">, (client: Socket) => void> = {
  reset: (client) => client.resetAndDestroy(),
  cut: (client) => client.end("HTTP/1.1 200 OK\r\nContent-Le"),
  nonsense: (client) => client.end("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
  silence: () => {},
};

/** Stands in front of an app, and fails each request as it is told to; not health checks, or nothing would be sent to it. */
export async function startFailingApp(port: number) {
  let failure: Failure = "none";
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => {}).once("close", () => open.delete(client));
    client.once("data", (first) => {
      const isCheck = first.toString("latin1").startsWith("GET /api/ready");
      if (failure !== "none" && !isCheck) return answer[failure](client);
      const app = connect(port, "127.0.0.1");
      app.on("error", () => client.destroy());
      client.once("close", () => app.destroy());
      app.write(first);
      client.pipe(app).pipe(client);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    failWith(next: Failure) {
      failure = next;
    },
    close() {
      server.close();
      for (const client of open) client.destroy();
    },
  };
}
