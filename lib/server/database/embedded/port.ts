import "server-only";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

const host = "127.0.0.1";

/** The preferred port or, where something else listens on it, another. */
export async function freePort(preferred: number): Promise<number> {
  // Not tried by listening: that would keep out a Postgres that somebody starts at the same moment.
  if (preferred > 0 && !(await isListening(preferred))) return preferred;
  const probe = createServer();
  await once(probe.listen(0, host), "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

export function isListening(port: number): Promise<boolean> {
  const socket = connect(port, host);
  return once(socket, "connect")
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
