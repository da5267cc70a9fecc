import { generateKeyPairSync } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startMailServer } from "@/__tests__/support/mail-server";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { verifyDkim } from "@/__tests__/support/verify-dkim";
import { openMailer } from "@/lib/server/messages/email/send-email";
import { readSettings, SettingsError } from "@/lib/server/settings";

const folder = temporaryFolder();

const publicKeyEncoding = { type: "spki", format: "pem" } as const;
const privateKeyEncoding = { type: "pkcs8", format: "pem" } as const;

function settings(privateKey: string, url = "smtp://127.0.0.1") {
  const DKIM_KEY_FILE = join(folder, "key.pem");
  writeFileSync(DKIM_KEY_FILE, privateKey);
  return readSettings({ SMTP_URL: url, DKIM_DOMAIN: "wattlelane.example", DKIM_SELECTOR: "apply", DKIM_KEY_FILE });
}

test("a DKIM signature covers the headers that let a mail program unsubscribe", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding,
    privateKeyEncoding,
  });
  const server = await startMailServer();
  const mailer = openMailer(settings(privateKey, server.url));
  const html = `<p>${"Zoë and a line that is longer than an email's may be. ".repeat(40)}</p>`;
  const stop = `https://apply.example/api/messages/stop?code=${"x".repeat(30)}`;
  await mailer.send({
    id: "one",
    to: "ada@example.com",
    subject: "Zoë’s invitation",
    text: "Hello \n\n\n",
    html,
    stop,
  });
  mailer.close();
  await server.stop();
  const raw = server.raw[0] ?? Buffer.alloc(0);
  const covered = verifyDkim(raw, publicKey);
  expect(covered).toEqual(expect.arrayContaining(["from", "message-id", "list-unsubscribe", "list-unsubscribe-post"]));
  expect(raw.toString("latin1")).toMatch(/d=wattlelane\.example;.*s=apply;/s);
  const forged = Buffer.from(raw.toString("latin1").replace("apply.example", "apple.example"), "latin1");
  expect(() => verifyDkim(forged, publicKey)).toThrow("Its headers are others");
});

test("a key that cannot sign is reported at the start, without its content", () => {
  const { privateKey } = generateKeyPairSync("ed25519", { publicKeyEncoding, privateKeyEncoding });
  expect(() => openMailer(settings(privateKey))).toThrow(
    new SettingsError("Invalid settings:\nDKIM_KEY_FILE: is not an RSA key"),
  );
  expect(() => openMailer(settings("no key"))).toThrow(
    /DKIM_KEY_FILE: cannot be read as a private key \(ERR_OSSL_UNSUPPORTED\)/,
  );
  const unreadable = settings(privateKey);
  rmSync(join(folder, "key.pem"));
  expect(() => openMailer(unreadable)).toThrow(/DKIM_KEY_FILE: cannot be read as a private key \(ENOENT\)/);
});
