const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join, resolve } = require("node:path");

// bin/rent runs a command without npm, from any folder. It is plain Node, so that it works before 'npm ci'.

/** The commands by task. The scripts of package.json name their files. */
const tasks = {
  "Invite people": {
    invite: "issue links, to one person or to a list, and send them",
    links: "revoke or reissue the links of one person or a batch",
    keys: "API keys with which other systems invite",
  },
  "Work on applications": {
    applications: "list, find, show, note, take, release, and correct a contact",
    status: "approve, decline or set another status, one or by a list",
    figures: "count how far applications have come",
    export: "write applications as CSV",
    desk: "serve the desk, the staff's web page",
    studio: "look at the database in a browser, without changing it",
  },
  "Send messages": {
    messages: "list, preview, retry, cancel and test messages, read bounces",
    suppressions: "stop or allow invitations and reminders to an address",
    worker: "send what is due, in a process of its own",
  },
  "Prove and erase": {
    consent: "check what was agreed to",
    evidence: "key, check and export of the evidence log",
    person: "export or erase what is stored about a person",
    retention: "erase what is older than RETENTION_MONTHS",
  },
  "Set up": {
    demo: "try everything on this machine",
    migrate: "bring the database up to date",
    "migrate:new": "write a migration after a change of the schema",
    roles: "create the database users",
    postgres: "status and stop of the embedded Postgres",
  },
};

const help = [
  "bin/rent COMMAND …              runs a command",
  "bin/rent COMMAND --help         how it is called, and its flags",
  ...Object.entries(tasks).flatMap(([task, commands]) => [
    "",
    task,
    ...Object.entries(commands).map(([name, what]) => `  ${name.padEnd(14)}${what}`),
  ]),
].join("\n");

const [command = "help", ...args] = process.argv.slice(2);
const deskServer = "lib/server/process/server.mjs";
const root = resolve(__dirname, "../../..");

function fail(code, message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = code;
}

/** Runs the command in the project's folder. It finds the caller's folder in INIT_CWD, as under npm. */
function run() {
  const env = { ...process.env, INIT_CWD: process.cwd() };
  // Only a process that npm has started inherits flags that npm has taken. Elsewhere these are settings of npm.
  if (!env.npm_command) for (const name of Object.keys(env)) if (name.startsWith("npm_config_")) delete env[name];
  // npm starts the demo by this file.
  const script = command === "demo" ? "lib/development/demo.ts" : require("../../../package.json").scripts[command];
  const [file] = /lib\/\S+\.ts/.exec(script) ?? [];
  const node = file ? ["--conditions=react-server", "--require", "tsx/cjs", file, ...args] : [deskServer];
  if (!file) Object.assign(env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", RENT_PROCESS: "desk" });
  const child = spawn(process.execPath, node, { cwd: root, env, stdio: "inherit" });
  // A terminal sends a signal to both, and the command ends in its own time.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (!signal) return process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (["help", "--help", "-h"].includes(command)) process.stdout.write(`${help}\n`);
else if (!Object.values(tasks).some((commands) => Object.hasOwn(commands, command)))
  fail(2, `${help}\n\nThere is no command ${command}.`);
else if (!existsSync(join(root, "node_modules/tsx")))
  fail(1, `The packages are not installed: run 'npm ci' in ${root} first.`);
else run();
