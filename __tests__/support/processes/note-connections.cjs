// Loaded into an app of the promises before everything else: notes each connection that it opens.
const { appendFileSync } = require("node:fs");
const { Socket } = require("node:net");

const sends = ["SMTP_URL", "SMS_PROVIDER", "WEBHOOK_URL"].some((name) => process.env[name]);
const database = URL.canParse(process.env.DATABASE_URL) ? new URL(process.env.DATABASE_URL) : null;
const connect = Socket.prototype.connect;

if (!sends && database)
  Socket.prototype.connect = function (...given) {
    // net.connect() has normalized them into one array before.
    const [options] = Array.isArray(given[0]) ? given[0] : given;
    const [port, host] = typeof options === "object" ? [options.port, options.host] : given;
    const isDatabase = String(port) === (database.port || "5432") && host === database.hostname;
    appendFileSync(process.env.NOTED_CONNECTIONS, `${isDatabase ? "database" : "elsewhere"} ${host}:${port}\n`);
    return connect.apply(this, given);
  };
