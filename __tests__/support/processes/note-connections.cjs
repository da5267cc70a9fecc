// The promises load this into each app first. It records the connections of an app that has no message settings.
const { appendFileSync } = require("node:fs");
const { Socket } = require("node:net");

const sends = ["SMTP_URL", "SMS_PROVIDER", "WEBHOOK_URL"].some((name) => process.env[name]);
const database = URL.canParse(process.env.DATABASE_URL) ? new URL(process.env.DATABASE_URL) : null;
const connect = Socket.prototype.connect;

if (!sends && database)
  Socket.prototype.connect = function (...args) {
    // net.connect() has already normalized its arguments into one array.
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    const [port, host] = typeof options === "object" ? [options.port, options.host] : args;
    const isDatabase = String(port) === (database.port || "5432") && host === database.hostname;
    appendFileSync(process.env.NOTED_CONNECTIONS, `${isDatabase ? "database" : "elsewhere"} ${host}:${port}\n`);
    return connect.apply(this, args);
  };
