import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

/** Lets a server listen on this machine, by default on a free port. Returns the port. */
export async function listen(server: { listen(port: number, host: string): Server }, onPort = 0): Promise<number> {
  const listening = server.listen(onPort, "127.0.0.1");
  await once(listening, "listening");
  return (listening.address() as AddressInfo).port;
}

/** Starts a server that hands each connection to `serve`. */
export async function startTcpServer(serve: (client: Socket) => void, onPort = 0) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => {}).once("close", () => open.delete(client));
    serve(client);
  });
  const port = await listen(server, onPort);
  const endConnections = () => {
    for (const client of open) client.destroy();
  };
  return {
    port,
    endConnections,
    stop() {
      server.close();
      endConnections();
    },
  };
}

/** Forwards in both directions, until one of the two ends. */
export function join(client: Socket, onward: Socket): void {
  client.pipe(onward).pipe(client);
  for (const [socket, peer] of [
    [client, onward],
    [onward, client],
  ] as const)
    socket.on("error", () => {}).once("close", () => peer.destroy());
}
