import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { endOnSignals, isEnding } from "@/lib/server/http/lame-duck";
import { prepareRequests } from "@/lib/server/http/request-start";

/** A server that ends as the app does, after the delay in its argument. It prints its port, and answers slowly. */
prepareRequests();
endOnSignals(Number(process.argv[2]));
const server = createServer((_, response) => setTimeout(() => response.end(String(isEnding())), 100));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
