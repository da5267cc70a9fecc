import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** Forwards each request and closes the connection when the answer begins: the save happens, its answer is lost. */
export async function startDroppingProxy(port: number) {
  const server = createServer((client) => {
    const app = connect(port, "127.0.0.1");
    client.pipe(app);
    app.once("data", () => {
      client.destroy();
      app.destroy();
    });
    for (const socket of [client, app]) socket.on("error", () => {});
    client.on("close", () => app.destroy());
    app.on("close", () => client.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
