import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Starts a server that hands each connection to `serve`. */
export async function startTcpServer(serve: (client: Socket) => void, onPort = 0) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => {}).once("close", () => open.delete(client));
    serve(client);
  });
  await once(server.listen(onPort, "127.0.0.1"), "listening");
  const endConnections = () => {
    for (const client of open) client.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
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
