import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { startTcpServer } from "@/__tests__/support/tcp-server";
import { readMailbox } from "@/lib/server/channels/bounces/read-mailbox";

/** Sends this for as long as the other end reads. */
const endless = (text: string) => Readable.from(Array(1_000_000).fill(Buffer.from(text)));

/** A mail server that takes every command, and whose response to SELECT does not end. */
function startEndlessServer(beginning: string, text: string) {
  return startTcpServer((socket: Socket) => {
    socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
    createInterface({ input: socket }).on("line", (line) => {
      const [tag, command] = line.split(" ");
      socket.write(command === "SELECT" ? beginning : `${tag} OK done\r\n`);
      if (command === "SELECT") endless(text).pipe(socket);
    });
  });
}

test.each([
  ["a line", "* OK ", "x".repeat(1e5)],
  ["an email", "* 1 FETCH (BODY[] {2000000000}\r\n", "x".repeat(1e5)],
  ["an email of many parts", "* 1 FETCH (", "BODY[] {10}\r\nxxxxxxxxxx ".repeat(5000)],
  ["a list of responses", "", `* 1 FETCH (UID 101 FLAGS (${"x".repeat(2000)}))\r\n`.repeat(50)],
])("%s without an end ends the round, and does not fill the memory", async (_, beginning, text) => {
  const server = await startEndlessServer(beginning, text);
  const before = process.memoryUsage().rss;
  await expect(readMailbox(`imap://reports:secret@127.0.0.1:${server.port}`)).rejects.toThrow();
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  server.stop();
});
