import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { program } from "@/__tests__/support/program";

export interface CallResponse {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

export type Studio = Awaited<ReturnType<typeof startStudio>>;

/** Starts `npm run studio` in its own process. Throws its error output if it does not start. */
export async function startStudio(env: Record<string, string>, port: number) {
  const flags = program("lib/cli/database/studio.ts", "--port", String(port));
  const child = spawn(process.execPath, flags, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  const ended = once(child, "close");
  const refused = ended.then(() => Promise.reject(new Error(output.trim())));
  refused.catch(() => {});
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), refused]);
  const address = /http:\S+/.exec(String(line))?.[0] ?? "";

  function call(path: string, headers: Record<string, string>, body?: string): Promise<CallResponse> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? "GET" : "POST";
      const sent = request({ host: "127.0.0.1", port, path, method, headers }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => (text += chunk));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.on("error", reject).end(body);
    });
  }

  const host = `127.0.0.1:${port}`;
  const { headers } = await call(address.slice(`http://${host}`.length), { host });
  const ours = { host, cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "", "content-type": "application/json" };
  return {
    /** The address that Studio printed. */
    address,
    port,
    /** The request headers of a page that was opened at this address. */
    ours,
    call,
    /** Sends SQL as Studio's own page does. Returns the rows as text, or throws the SQLSTATE. */
    async run(sql: string): Promise<string> {
      const query = { procedure: "query", query: { sql, parameters: [] } };
      const { status, text } = await call("/bff", ours, JSON.stringify(query));
      if (status !== 200) throw new Error(`Studio answered ${status}: ${text}`);
      const [error, rows] = JSON.parse(text);
      if (error) throw new Error(error.code ?? error.message);
      return JSON.stringify(rows);
    },
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
