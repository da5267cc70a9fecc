import type { ServerResponse } from "node:http";
import { startReceiver } from "./receiver";

interface Given {
  status?: number;
  /** An object is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Drop: the connection is cut once the request was read. Cut: it is cut in the middle of the answer. Stall: there is no answer. */
type Answer = Given | "drop" | "cut" | "stall";

/** Starts a gateway on this machine that records its requests and gives the answer that was set last. */
export async function startSmsGateway(onPort = 0) {
  const { url, taken: asked, answerWith, isAsked, close: end } = await startReceiver(onPort);
  const give = (answer: Answer, response: ServerResponse) => {
    if (answer === "stall") return;
    if (answer === "drop") return response.destroy();
    if (answer === "cut") {
      response.writeHead(200, { "content-length": "1000" }).write('{"sid":');
      return setTimeout(() => response.destroy(), 20);
    }
    const { status = 200, body: content = {}, headers } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : JSON.stringify(content));
  };
  const answers = (answer: Answer) => {
    asked.length = 0;
    answerWith((response) => give(answer, response));
  };
  answers({});
  const { origin, port } = new URL(url);
  return { url: origin, port: Number(port), asked, answers, isAsked, end };
}
