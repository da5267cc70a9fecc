import { readFileSync } from "node:fs";
import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { same } from "./support/expect";
import type { Promised } from "./support/world";

const nowhere = "127.0.0.1:9";

const once: Promised = {
  number: 41,
  async prove({ start, sql }) {
    // Nothing is sent: WORKER=off, and nobody listens there.
    const app = await start({
      settings: {
        WORKER: "off",
        SMTP_URL: `smtp://${nowhere}`,
        ...{ SMS_PROVIDER: "generic", SMS_URL: `http://${nowhere}`, SMS_FROM: "61400000000" },
        ...{ WEBHOOK_URL: `http://${nowhere}`, WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString("base64")}` },
        STAFF_EMAILS: "ops@lender.example",
        AGENT_NOTICE: "1",
      },
    });
    const { token, id } = await invited({ mobile: "61412345678" });
    await fillIn(app, token);
    const due = () =>
      sql(`SELECT kind, count(*)::int FROM messages WHERE "applicationId" = $1 AND kind <> 'link.opened' GROUP BY 1`, [
        id,
      ]);
    await sql("ALTER TABLE consent_records ADD CONSTRAINT refused CHECK (version = '') NOT VALID");
    const refused = await several(20, 20, () => call(app, "submit-final", { token, data: consent }));
    await sql("ALTER TABLE consent_records DROP CONSTRAINT refused");
    same(await due(), [], "messages of submissions that were rolled back");
    const answers = await several(200, 200, () => call(app, "submit-final", { token, data: consent }));
    same(tally(answers.map(({ status }) => status)), "200 × 200", "submissions");
    const kinds = await due();
    same(
      kinds.map(({ count }) => count),
      kinds.map(() => 1),
      "messages of each kind",
    );
    same(kinds.length, 5, `kinds of message (${kinds.map(({ kind }) => kind).join(", ")})`);
    await app.end("SIGTERM");
    // No other promise is to send them.
    await sql("DELETE FROM messages");
    return `${refused.length} submissions rolled back: 0 messages; 200 at once of one application: 1 each of ${kinds.length} kinds`;
  },
};

const silent: Promised = {
  number: 53,
  isLast: true,
  async prove(world) {
    const connections = readFileSync(world.connections, "utf8").split("\n").filter(Boolean);
    const elsewhere = connections.filter((one) => !one.startsWith("database "));
    same([...new Set(elsewhere)], [], "connections to anything but the database");
    return `without settings, over this whole run: ${connections.length.toLocaleString("en")} connections of the app to its database, 0 to anything else`;
  },
};

export const messagesDue = [once, silent];
