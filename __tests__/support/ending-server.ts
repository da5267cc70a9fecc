import type { EventEmitter } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { shutDownOnSignals } from "@/lib/server/process/shutdown.mjs";

/**
 * A server that shuts down as the app does, after the delay in its argument. It prints its port and answers after 100 ms. Work
 * that starts after SIGTERM takes 300 ms to finish, which it prints.
 */
const server = createServer((_, response) => setTimeout(() => response.end(String(isEnding())), 100));
const isEnding = shutDownOnSignals(server, Number(process.argv[2]));
process.once("SIGTERM", () =>
  setTimeout(() => (process as EventEmitter).on("shutdown", () => sleep(300).then(() => console.log("finished"))), 50),
);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
