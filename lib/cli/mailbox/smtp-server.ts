import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Address } from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Inbox } from "./received";

const mostBytes = 5_000_000;

/** Takes every email, for any address and without a password, from this machine alone. */
export async function listenForEmail(inbox: Inbox): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: mostBytes,
    closeTimeout: 1000,
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((raw) => take(inbox, raw, to))
        .then(() => done(), done);
    },
  });
  // A sender that goes away, or speaks no SMTP, is no reason to end.
  server.on("error", () => {});
  const listener = server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

async function take(inbox: Inbox, raw: Buffer, to: string[]): Promise<void> {
  const { from, subject = "", text = "", html = null, headers } = await PostalMime.parse(raw);
  inbox.take({
    channel: "email",
    from: written(from),
    to,
    subject,
    text,
    html,
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
  });
}

function written(address: Address | undefined): string {
  if (!address) return "";
  return address.name ? `${address.name} <${address.address}>` : (address.address ?? "");
}
