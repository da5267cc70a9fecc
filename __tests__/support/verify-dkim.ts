import { createHash, createVerify } from "node:crypto";

const relaxed = (line: string) => {
  const [, name = "", value = ""] = /^([^:]+):(.*)$/s.exec(line) ?? [];
  return `${name.trim().toLowerCase()}:${value
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim()}`;
};

function relaxedBody(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  const text = lines.join("\r\n").replace(/(\r\n)*$/, "");
  return text === "" ? "" : `${text}\r\n`;
}

/**
 * Verifies the DKIM signature of a message by RFC 6376, for relaxed/relaxed and rsa-sha256. Returns the names of the headers
 * that the signature covers, or throws.
 */
export function verifyDkim(raw: Buffer, publicKey: string): string[] {
  const message = raw.toString("latin1");
  const end = message.indexOf("\r\n\r\n");
  const headers = message.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = headers.find((line) => /^dkim-signature:/i.test(line));
  if (!signature) throw new Error("It is not signed");
  const tags = Object.fromEntries(
    signature
      .replace(/^[^:]+:/, "")
      .split(";")
      .map((tag) => tag.trim().match(/^(\w+)=(.*)$/s) ?? [])
      .map(([, name = "", value = ""]) => [name, value.replace(/\s+/g, "")]),
  );
  const bodyHash = createHash("sha256")
    .update(relaxedBody(message.slice(end + 4)), "latin1")
    .digest("base64");
  if (tags.bh !== bodyHash) throw new Error("Its body is another");
  const covered = (tags.h ?? "").toLowerCase().split(":");
  const signed = covered.map((name) => headers.findLast((line) => line.toLowerCase().startsWith(`${name}:`)));
  const unsigned = relaxed(signature.replace(/(;\s*b=)[^;]*/, "$1"));
  const text = [...signed.filter((line) => line !== undefined).map(relaxed), unsigned].join("\r\n");
  const isRight = createVerify("RSA-SHA256")
    .update(text, "latin1")
    .verify(publicKey, tags.b ?? "", "base64");
  if (!isRight) throw new Error("Its headers are others");
  return covered;
}
