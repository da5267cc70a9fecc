import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { listen } from "./tcp-server";

/** Starts a mail server that accepts everything except what `options` refuse. */
export async function startMailServer(options: SMTPServerOptions = {}, onPort = 0) {
  const raw: Buffer[] = [];
  const envelopes: string[][] = [];
  let sessions = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onConnect(_, callback) {
      sessions += 1;
      callback();
    },
    onData(stream, { envelope }, callback) {
      buffer(stream).then((message) => {
        raw.push(message);
        envelopes.push(envelope.rcptTo.map(({ address }) => address));
        callback();
      }, callback);
    },
    ...options,
  });
  // A client that is cut off must not fail the test.
  server.on("error", () => {});
  const port = await listen(server, onPort);
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    /** The messages as they were received; `envelopes` has their recipients. */
    raw,
    envelopes,
    sessions: () => sessions,
    read: (n = 0) => PostalMime.parse(raw[n] ?? ""),
    /** Ends every connection at once, as a crash would. */
    cut() {
      for (const connection of server.connections) (connection as unknown as Cuttable)._socket.destroy();
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

interface Cuttable {
  _socket: { destroy(): void };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** An error that makes the server refuse with this reply. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
