import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Pool } from "pg";

/** For comparison: verify-token's query behind bare node:http, without checks, limits, headers or logging. */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

const find = `SELECT a.*, l.id AS "linkId", l."openedAt", c."authoriseAgent", c."provideSelf", c."confirmLoan"
  FROM link_tokens t JOIN links l ON l.id = t."linkId" JOIN applications a ON a.id = l."applicationId"
  LEFT JOIN consent_records c ON c."applicationId" = a.id
  WHERE t."tokenHash" = $1 AND l."revokedAt" IS NULL AND l."expiresAt" > now()`;

const server = createServer(async (request, answer) => {
  const { token } = JSON.parse(await text(request));
  const hash = createHash("sha256").update(token).digest();
  const { rows } = await pool.query({ name: "find", text: find, values: [hash] });
  answer.setHeader("content-type", "application/json").end(JSON.stringify({ success: true, data: rows[0] }));
});

server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
