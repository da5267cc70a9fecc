import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/__tests__/support/processes/app";
import { isListening } from "@/lib/embedded-postgres/cluster";
import { selfSigned } from "./certificate";
import { Broken } from "./expect";

export type ProxyName = "nginx" | "haproxy" | "caddy";

/** A reverse proxy with its configuration in docs/deploy, except for ports, paths and the certificate. */
export type ReverseProxy = Awaited<ReturnType<typeof startReverseProxy>>;

/** The folder and the ports of one run, for use in a configuration. */
interface Place {
  folder: string;
  port: number;
  plainPort: number;
  apps: [number, number];
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

const shipped = (name: string) => readFileSync(join("docs/deploy", name), "utf8");

const onApps = (text: string, { apps }: Place) =>
  text.replaceAll("127.0.0.1:3001", `127.0.0.1:${apps[0]}`).replaceAll("127.0.0.1:3002", `127.0.0.1:${apps[1]}`);

/** The shipped site, included by Debian's nginx.conf. That allows only few connections, so that they run out. */
function nginxFiles(place: Place): Record<string, string> {
  const { folder, port, plainPort } = place;
  const site = onApps(shipped("nginx.conf"), place)
    .replaceAll("/var/log/nginx", folder)
    .replaceAll(/\/etc\/letsencrypt\/live\/apply\.example/g, folder)
    .replaceAll(
      /listen (\[::\]:)?(80|443)\b/g,
      (_, any, standardPort) => `listen ${any ? "[::1]" : "127.0.0.1"}:${standardPort === "80" ? plainPort : port}`,
    );
  const mainConfig = readFileSync("/etc/nginx/nginx.conf", "utf8")
    .replaceAll("/var/log/nginx", folder)
    .replace("/run/nginx.pid", join(folder, "nginx.pid"))
    .replace("worker_processes auto", "worker_processes 1")
    .replace(/worker_connections \d+/, "worker_connections 128")
    .replace("/etc/nginx/conf.d/*.conf", join(folder, "site.conf"))
    .replace("include /etc/nginx/sites-enabled/*;", "");
  return { "site.conf": site, config: mainConfig };
}

function haproxyFiles(place: Place): Record<string, string> {
  const { folder, port, plainPort } = place;
  const config = onApps(shipped("haproxy.cfg"), place)
    .replace("/etc/haproxy/apply.example.pem", join(folder, "both.pem"))
    .replace("bind :80", `bind 127.0.0.1:${plainPort}`)
    .replace("bind :443", `bind 127.0.0.1:${port}`);
  // Only root may switch to another user, so these lines are removed otherwise.
  return { config: process.getuid?.() === 0 ? config : config.replaceAll(/^\t(user|group) .*\n/gm, "") };
}

function caddyFiles({ folder, port, plainPort, apps }: Place): Record<string, string> {
  const config = shipped("Caddyfile")
    .replace("{\n", `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${plainPort}\n`)
    .replace(
      "{$DOMAIN} {",
      `https://localhost:${port}, https://127.0.0.1:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
    )
    .replace(
      /\{\$DESK_DOMAIN.*/,
      `https://desk.localhost:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
    )
    .replace(/dynamic a \{[^}]*\}/, `to 127.0.0.1:${apps[0]} 127.0.0.1:${apps[1]}`);
  return { config };
}

const proxies = {
  nginx: {
    program: "/usr/sbin/nginx",
    files: nginxFiles,
    flags: (config: string) => ["-c", config, "-e", "stderr", "-g", "daemon off;"],
  },
  haproxy: { program: "/usr/sbin/haproxy", files: haproxyFiles, flags: (config: string) => ["-db", "-f", config] },
  caddy: {
    program: "/usr/bin/caddy",
    files: caddyFiles,
    flags: (config: string) => ["run", "--adapter", "caddyfile", "--config", config],
  },
};

export async function startReverseProxy(name: ProxyName, apps: [number, number]) {
  const { program, files, flags } = proxies[name];
  if (!existsSync(program)) throw new Broken(`${program} is missing: apt-get install ${name}`);
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o755);
  const place = { folder, port: await freePort(), plainPort: await freePort(), apps };
  const { key, cert } = selfSigned();
  const certificates = { "privkey.pem": key, "fullchain.pem": cert, "both.pem": cert + key };
  for (const [file, text] of Object.entries({ ...certificates, ...files(place) }))
    writeFileSync(join(folder, file), text);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, flags(join(folder, "config")), { stdio: ["ignore", "pipe", "pipe"], env });
  running.add(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  const ended = once(child, "exit").then(() => running.delete(child));
  for (const begun = Date.now(); !(await isListening(place.port)); await sleep(50))
    if (child.exitCode !== null || Date.now() - begun > 10_000) throw new Broken(`${name} did not start: ${printed}`);
  const written = () => readdirSync(folder).filter((file) => file.endsWith(".log"));
  return {
    name,
    /** The port for https; `plainPort` is the one for http. */
    port: place.port,
    plainPort: place.plainPort,
    /** The contents of its log files, and its output. */
    logs: () => [printed, ...written().map((file) => readFileSync(join(folder, file), "utf8"))].join(""),
    async stop() {
      child.kill(name === "nginx" ? "SIGQUIT" : "SIGTERM");
      await Promise.race([ended, sleep(3000)]);
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
