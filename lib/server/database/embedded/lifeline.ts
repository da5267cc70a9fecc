import "server-only";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { Files } from "./files";

/**
 * A lifeline is a connection from a process that uses the database to the keeper that runs it. The system closes it
 * when either end dies, however it dies, so that each learns of the other's end without watching process numbers.
 */
export interface Lifeline {
  socket: Socket;
  /** The database's URL once it is up and up to date; rejects with the keeper's reason. */
  url(): Promise<string>;
}

/** How to reach a keeper; the key is known to those who may read its file. */
export interface Card {
  port: number;
  key: string;
}

const host = "127.0.0.1";
const greeting = "keeper";
const mostSilence = 5000;

/** Null where no keeper answers. */
export async function reachKeeper(files: Files): Promise<Lifeline | null> {
  const card = readCard(files);
  if (!card) return null;
  const socket = connect(card.port, host);
  const nextLine = linesOf(socket);
  const silence = setTimeout(() => socket.destroy(), mostSilence);
  socket.write(card.key);
  const first = await nextLine();
  clearTimeout(silence);
  if (first === greeting) return { socket, url: async () => urlIn(await nextLine()) };
  socket.destroy();
  return null;
}

function urlIn(answer: string | null): string {
  if (answer === null) throw new Error("The keeper of the embedded Postgres went away.");
  const { url, error } = JSON.parse(answer);
  if (error) throw new Error(error);
  return url;
}

/** Gives the lines that arrive, one with each call; null once the connection has ended. */
function linesOf(socket: Socket): () => Promise<string | null> {
  let text = "";
  let hasEnded = false;
  let wake = () => {};
  socket.on("data", (chunk) => {
    text += chunk;
    wake();
  });
  socket.on("close", () => {
    hasEnded = true;
    wake();
  });
  socket.on("error", () => {});
  return async () => {
    while (!text.includes("\n") && !hasEnded) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (!text.includes("\n")) return null;
    const [line = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return line;
  };
}

export function readCard({ card }: Files): Card | null {
  try {
    return JSON.parse(readFileSync(card, "utf8"));
  } catch {
    return null;
  }
}

/** The keeper's end: hands the URL to whoever knows the key, and tells how many there are whenever that changes. */
export async function acceptLifelines(
  url: () => Promise<string>,
  onCount: (users: number) => void,
): Promise<{ server: Server; card: Card }> {
  const key = randomBytes(24).toString("base64url");
  const users = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.setTimeout(mostSilence, () => socket.destroy());
    socket.once("data", async (said) => {
      if (said.toString() !== key) return socket.destroy();
      socket.setTimeout(0);
      onCount(users.add(socket).size);
      socket.once("close", () => {
        users.delete(socket);
        onCount(users.size);
      });
      socket.write(`${greeting}\n`);
      const answer = await url().then(
        (url) => ({ url }),
        (error: Error) => ({ error: error.message }),
      );
      socket.write(`${JSON.stringify(answer)}\n`);
    });
  });
  await once(server.listen(0, host), "listening");
  return { server, card: { port: (server.address() as AddressInfo).port, key } };
}
