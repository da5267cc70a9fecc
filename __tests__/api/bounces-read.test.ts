import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bounceHelpers, complaint, hardBounce, reportOn } from "@/__tests__/support/bounces";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { samples } from "@/__tests__/support/delivery-reports";
import { reportFigure } from "@/__tests__/support/size";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { readMailbox } from "@/lib/server/channels/bounces/read-mailbox";

interface StoredEmail {
  source: string;
  isRead: boolean;
}

/** Starts a mail server with one mailbox. It supports only as much of IMAP4rev1 (RFC 3501) as reading the mailbox needs, and refuses the commands that match `refused`. */
async function startImapServer(emails: StoredEmail[], password: string, refused?: RegExp, host = "127.0.0.1") {
  const server = createServer((socket) => {
    const send = (...lines: string[]) => socket.write(lines.map((line) => `${line}\r\n`).join(""));
    const numberOf = (uid: string) => Number(uid) - 100;
    const respond = (tag: string, command: string, rest: string) => {
      if (command === "LOGIN" && !rest.includes(password)) return send(`${tag} NO [AUTHENTICATIONFAILED] no`);
      if (refused?.test(`${command} ${rest}`)) return send(`${tag} NO [LIMIT] not now`);
      if (command === "CAPABILITY") send("* CAPABILITY IMAP4rev1");
      if (command === "LIST") send(`* LIST () "/" INBOX`);
      const mailbox = ["* 0 RECENT", "* FLAGS (\\Seen)", "* OK [UIDVALIDITY 1]", "* OK [UIDNEXT 999]"];
      if (command === "SELECT") send(`* ${emails.length} EXISTS`, ...mailbox);
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
      respond(tag, command.toUpperCase(), rest.join(" "));
    });
    socket.on("error", () => {});
  });
  await once(server.listen(0, host), "listening");
  const { port } = server.address() as { port: number };
  return {
    url: `imap://reports:${password}@${host.includes(":") ? `[${host}]` : host}:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const database = freshDatabase();
const { sql, operationsUrl } = database;
const bounced = { state: "failed", error: "bounced 5.1.1" };
const { emailed, stateOf, reasons, whileRefused } = bounceHelpers(database);

describe("messages -- bounces", () => {
  /** Operations may write fewer columns of a message than the app, whose worker reads a mailbox. */
  const read = (path: string) => callCommand("messages", ["bounces", path], { DATABASE_URL: operationsUrl });
  const temporary = temporaryFolder();
  const newFolder = () => mkdtempSync(join(temporary, "bounces-"));
  /** Reads a folder with the hard bounces of these emails. */
  function readBouncesOf(...ids: string[]) {
    const folder = newFolder();
    for (const id of ids) writeFileSync(join(folder, id), hardBounce(id));
    return read(folder);
  }

  test("a Maildir is read", async () => {
    const folder = newFolder();
    for (const name of ["new", "cur", "tmp"]) mkdirSync(join(folder, name));
    for (const [index, name] of [...samples.keys()].entries()) {
      const { id } = await emailed(`landlord${index}@example.com`);
      writeFileSync(join(folder, index % 2 ? "new" : "cur", name), reportOn(name, id));
    }
    const startedAt = performance.now();
    expect(await read(folder)).toMatchObject({
      out: "40 emails read: 14 bounced, 21 undelivered, 0 delivered, 3 complaints; 2 changed nothing.\n",
      err: "",
    });
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeLessThan(60);
    const figure = `40 reports and complaints from ten mail systems: 40 correct states, read in ${seconds.toFixed(1)} s`;
    reportFigure(75, figure);
  });

  const envelope = "From daemon Wed Dec 10 05:29:08 2025\n";
  const quoting = (email: Buffer) => email.toString("latin1").replace("\n\n", "\n\nFrom the remote server:\n\n");
  test.each([
    [
      "an mbox with a line that only begins like an email's first",
      (id: string, other: string) => `${envelope}${quoting(hardBounce(id))}\n${envelope}${complaint(other)}\n`,
      "2 emails read: 1 bounced",
    ],
    [
      "an mbox",
      (id: string, other: string) =>
        `${envelope}${hardBounce(id)}\n>From the postmaster\n\n${envelope}${complaint(other)}\n`,
      "2 emails read: 1 bounced",
    ],
    ["a single email, which counts as one,", complaint, "1 email read: 0 bounced"],
  ])("%s is read", async (_, content, counted) => {
    const [{ id }, other] = [await emailed("gone@example.com"), await emailed("annoyed@example.com")];
    const file = join(newFolder(), "file");
    writeFileSync(file, content(id, other.id));
    const others = "0 undelivered, 0 delivered, 1 complaint; 0 changed nothing.\n";
    expect((await read(file)).out).toBe(`${counted}, ${others}`);
  });

  test("reading continues after a report that cannot be applied, and the output says how many there were", async () => {
    const [{ id }, other] = [await emailed(), await emailed("second@landlord.example")];
    await whileRefused(id, async () => {
      expect(await readBouncesOf(id, other.id)).toMatchObject({
        code: 1,
        out: expect.stringContaining("2 emails read: 1 bounced"),
        err: expect.stringContaining("1 could not be applied"),
      });
    });
    expect(await stateOf(other.id)).toEqual(bounced);
  });

  test("reading continues after a report on an email that no worker has recorded as sent", async () => {
    const [{ id }, other] = [await emailed(), await emailed("second@landlord.example")];
    await sql(`UPDATE messages SET state = 'sending', "sentAt" = NULL WHERE id = $1`, [id]);
    const err = expect.stringContaining("1 could not be applied");
    expect(await readBouncesOf(id, other.id)).toMatchObject({ code: 1, err });
    expect(await stateOf(other.id)).toEqual(bounced);
  });

  test("a report does not change an email that is being sent again", async () => {
    const { id } = await emailed();
    await sql(`UPDATE messages SET state = 'sending', "sentAt" = now() WHERE id = $1`, [id]);
    expect((await readBouncesOf(id)).out).toContain("1 changed nothing");
    expect(await stateOf(id)).toMatchObject({ state: "sending", error: "" });
  });

  test("a missing file is reported", async () => {
    expect(await read("/nowhere")).toMatchObject({ code: 1, err: "There is no file or folder /nowhere.\n" });
  });
});

describe("the mailbox of BOUNCES_IMAP_URL", () => {
  /** A mailbox with the bounces of two emails. */
  async function twoBounces(refused?: RegExp) {
    const [{ id }, { id: other }] = [await emailed(), await emailed("second@landlord.example")];
    const emails = [id, other].map((emailId) => ({ source: hardBounce(emailId).toString("latin1"), isRead: false }));
    return { id, other, emails, server: await startImapServer(emails, "secret word", refused) };
  }

  test("only unread reports are applied, and they are then marked as read", async () => {
    const { id, emails, server } = await twoBounces();
    Object.assign(emails[1] ?? {}, { isRead: true });
    await readMailbox(server.url).finally(() => server.stop());
    expect(await stateOf(id)).toEqual(bounced);
    expect(await reasons()).toEqual(["bounced 5.1.1"]);
    expect(emails.map(({ isRead }) => isRead)).toEqual([true, true]);
  });

  test.each([
    ["a report cannot be applied, it stays unread, and those after it are applied", "check_violation", true],
    ["the database does not answer, the reports stay unread until the next round", "admin_shutdown", false],
  ])("if %s", async (_, code, isSecondRead) => {
    const { id, other, emails, server } = await twoBounces();
    await whileRefused(id, () => expect(readMailbox(server.url)).rejects.toThrow("refused"), code);
    await server.stop();
    expect(emails.map(({ isRead }) => isRead)).toEqual([false, isSecondRead]);
    expect(await stateOf(other)).toEqual(isSecondRead ? bounced : { state: "sent", error: "" });
  });

  test.each([
    ["to search the mailbox", /^UID SEARCH/, "SEARCH_REFUSED", ["sent", "sent"], [false, false]],
    ["to return an email", /^UID FETCH 101/, "FETCH_REFUSED", ["sent", "failed"], [false, true]],
    ["to mark an email as read", /^UID STORE 101/, "STORE_REFUSED", ["failed", "failed"], [false, true]],
  ])(
    "if the server refuses %s, that is reported, and the emails that it returns are applied",
    async (_, refused, code, states, read) => {
      const { id, other, emails, server } = await twoBounces(refused);
      await expect(readMailbox(server.url)).rejects.toMatchObject({ code });
      await server.stop();
      expect([(await stateOf(id))?.state, (await stateOf(other))?.state]).toEqual(states);
      expect(emails.map(({ isRead }) => isRead)).toEqual(read);
    },
  );

  test("a mail server with an IPv6 address is read", async () => {
    const { id } = await emailed();
    const source = hardBounce(id).toString("latin1");
    const server = await startImapServer([{ source, isRead: false }], "secret", undefined, "::1");
    await readMailbox(server.url).finally(() => server.stop());
    expect(await stateOf(id)).toEqual(bounced);
  });

  test("a wrong password is reported", async () => {
    const server = await startImapServer([], "secret");
    const wrong = server.url.replace("secret", "wrong");
    await expect(readMailbox(wrong)).rejects.toMatchObject({ code: "AUTHENTICATIONFAILED" });
    await server.stop();
  });
});
