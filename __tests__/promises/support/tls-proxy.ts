import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { App } from "@/__tests__/support/processes/app";
import { selfSigned } from "./certificate";

export interface TlsProxy {
  port: number;
  /** What every host but the app's answers with from now on. */
  plant(cookie: string, html?: string): void;
  close(): void;
}

/** TLS in front of the app, as in production, for the host `appHost`; a stranger's site for every other host. */
export async function startTlsProxy(app: App, appHost: string): Promise<TlsProxy> {
  let cookie = "";
  let html = "";
  const server = createServer(selfSigned(), (incoming, answer) => {
    if (!incoming.headers.host?.startsWith(appHost)) {
      if (cookie) answer.setHeader("set-cookie", Buffer.from(cookie, "utf8").toString("latin1"));
      answer.setHeader("content-type", "text/html");
      return answer.end(html);
    }
    const { port } = app;
    const headers = { ...incoming.headers, "x-forwarded-proto": "https" };
    const onward = request(
      { port, host: "127.0.0.1", path: incoming.url, method: incoming.method, headers },
      (from) => {
        answer.writeHead(from.statusCode ?? 502, from.headers);
        from.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    plant(planted, page = "<title>Hello</title>") {
      cookie = planted;
      html = page;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
