import { Server } from "node:http";

/**
 * Preloaded into Prisma Studio's process: it then listens on a Unix socket in a private folder instead of its TCP port,
 * which every user of the machine could connect to.
 */
const { listen } = Server.prototype;
Server.prototype.listen = function listenOnSocket(this: Server, ...asked: unknown[]) {
  const heard = asked.findLast((argument) => typeof argument === "function");
  return Reflect.apply(listen, this, [process.env.STUDIO_SOCKET, heard]);
};
