import { Server } from "node:http";

/**
 * Loaded into Prisma Studio's process: makes it listen on a socket in a folder of its own in place of its port, which every
 * user of the machine could call.
 */
const { listen } = Server.prototype;
Server.prototype.listen = function listenOnSocket(this: Server, ...asked: unknown[]) {
  const heard = asked.findLast((argument) => typeof argument === "function");
  return Reflect.apply(listen, this, [process.env.STUDIO_SOCKET, heard]);
};
