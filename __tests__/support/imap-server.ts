import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

export interface StoredEmail {
  source: string;
  isRead: boolean;
}

/** Starts a mail server with one mailbox. It supports only as much of IMAP4rev1 (RFC 3501) as reading the mailbox needs. */
export async function startImapServer(emails: StoredEmail[], password: string) {
  const server = createServer((socket) => {
    const send = (...lines: string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(""));
    const numberOf = (uid: string) => Number(uid) - 100;
    const answer = (tag: string, command: string, rest: string) => {
      if (command === "LOGIN" && !rest.includes(password)) return send(`${tag} NO [AUTHENTICATIONFAILED] no`);
      if (command === "CAPABILITY") send("* CAPABILITY IMAP4rev1");
      if (command === "LIST") send(`* LIST () "/" INBOX`);
      if (command === "SELECT")
        send(
          `* ${emails.length} EXISTS`,
          "* 0 RECENT",
          "* FLAGS (\\Seen)",
          "* OK [UIDVALIDITY 1]",
          "* OK [UIDNEXT 999]",
        );
      if (/^UID SEARCH/.test(`${command} ${rest}`)) {
        const unread = emails.flatMap(({ isRead }, index) => (isRead ? [] : [index + 101]));
        send(["* SEARCH", ...unread].join(" "));
      }
      const [, uid = "101"] = /^(?:FETCH|STORE) (\d+)/.exec(rest) ?? [];
      const email = emails[numberOf(uid) - 1];
      if (/^FETCH/.test(rest) && email) {
        const source = Buffer.from(email.source, "latin1");
        const [, partial = ""] = /BODY(?:\.PEEK)?\[\](<\d+)/.exec(rest) ?? [];
        socket.write(`* ${numberOf(uid)} FETCH (UID ${uid} BODY[]${partial && `${partial}>`} {${source.length}}\r\n`);
        socket.write(source);
        send(")");
      }
      if (/^STORE/.test(rest) && email) {
        email.isRead = /\\Seen/.test(rest);
        send(`* ${numberOf(uid)} FETCH (UID ${uid} FLAGS (\\Seen))`);
      }
      send(command === "LOGOUT" ? "* BYE" : `* OK`, `${tag} OK done`);
    };
    send("* OK [CAPABILITY IMAP4rev1] ready");
    createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      const [tag = "", command = "", ...rest] = line.split(" ");
      answer(tag, command.toUpperCase(), rest.join(" "));
    });
    socket.on("error", () => {});
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  return {
    url: `imap://reports:${password}@127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
