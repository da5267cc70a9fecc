import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { shutDownOnSignals } from "@/lib/server/shutdown.mjs";

/** A server that shuts down as the app does, after the delay in its argument. It prints its port and answers after 100 ms. */
const server = createServer((_, response) => setTimeout(() => response.end(String(isEnding())), 100));
const isEnding = shutDownOnSignals(server, Number(process.argv[2]));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
