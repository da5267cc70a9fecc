import { execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const read = (name: string) => readFileSync(`docs/deploy/${name}`, "utf8");
const nginx = read("nginx.conf");
const haproxy = read("haproxy.cfg");

test("nginx and HAProxy speak TLS 1.2 and 1.3 only", () => {
  expect(nginx.match(/ssl_protocols .*/g)).toEqual(["ssl_protocols TLSv1.2 TLSv1.3;"]);
  expect(haproxy.match(/ssl-default-bind-options .*/g)).toEqual(["ssl-default-bind-options ssl-min-ver TLSv1.2"]);
});

test("nginx and HAProxy redirect port 80 to https only", () => {
  const [, plain = "", ...encrypted] = nginx.split(/^server \{/m);
  expect(plain).toMatch(/listen 80 .*return 301 https:/s);
  expect(plain).not.toContain("proxy_pass");
  expect(encrypted.join()).not.toMatch(/listen [^;]*\b80\b/);
  expect(haproxy).toContain("http-request redirect scheme https code 301 unless { ssl_fc }");
});

test("only pages are redirected to https: an unencrypted call fails", () => {
  const [, plain = ""] = nginx.split(/^server \{/m);
  expect(plain).toMatch(/location \/api\/ \{\s+return 403;/);
  expect(haproxy).toMatch(/http-request deny if !\{ ssl_fc \} \{ path_sub api\/ \}\n.*redirect scheme https/);
  expect(read("Caddyfile")).toMatch(/^http:\/\/\{\$DOMAIN\} \{\n.*\n\thandle \/api\/\* \{\n\t\trespond 403/m);
});

test("nginx and HAProxy accept only ciphers with forward secrecy, as Caddy does by default", () => {
  for (const [, list = ""] of `${nginx}\n${haproxy}`.matchAll(/ciphers (.*?);?$/gm))
    for (const cipher of list.split(":"))
      expect(cipher).toMatch(/^ECDHE-(ECDSA|RSA)-(AES\d+-GCM-SHA\d+|CHACHA20-POLY1305)$/);
  for (const recipe of [nginx, haproxy]) expect(recipe).toMatch(/ciphers ECDHE/);
});

test("the proxies limit the address, also the desk's, and let 64 kB of cookies pass", () => {
  expect(nginx).toMatch(/map \$request_uri \$rent_advance_is_too_long \{\s+"~\^\.\{4097\}" 1;/);
  for (const recipe of [nginx, read("nginx-desk.conf")])
    expect(recipe.split(/^server \{/m).at(-1)).toMatch(/if \(\$rent_advance_is_too_long\) \{\s+return 414;/);
  expect(haproxy).toMatch(/http-request return status 414 .* if \{ url_len gt 4096 \}/);
  expect(read("Caddyfile")).toMatch(/@long expression size\(\{http\.request\.uri\}\) > 4096\n\trespond @long 414/);
  expect(read("Caddyfile").match(/^\timport address_limit$/gm)).toHaveLength(2);
  expect([nginx.match(/large_client_header_buffers \d+ 80k/g)?.length, haproxy]).toEqual([
    2,
    expect.stringContaining("tune.bufsize 98304"),
  ]);
});

test("nginx and Caddy use certificates of Let's Encrypt", () => {
  expect(nginx).toMatch(/ssl_certificate \/etc\/letsencrypt\/live\//);
  // Caddy obtains a certificate itself for a site that is named without a scheme.
  expect(read("Caddyfile")).toMatch(/^\{\$DOMAIN\} \{$/m);
  expect(read("Caddyfile")).not.toMatch(/^\s*tls /m);
});

test("a proxy reuses no connection to the app that the app may be closing", () => {
  const [, limit] = /keepAliveTimeout: ([\d_]+)/.exec(readFileSync("lib/server/process/server.mjs", "utf8")) ?? [];
  const appSeconds = Number(limit?.replaceAll("_", "")) / 1000;
  const [, caddySeconds] = /transport http \{\s+keepalive (\d+)s\s+\}/.exec(read("Caddyfile")) ?? [];
  expect(Number(caddySeconds)).toBeLessThan(appSeconds);
  // nginx keeps no connection unless 'keepalive' is in the upstream; since 1.29.7 it keeps them for 60 s by default.
  expect(appSeconds).toBeGreaterThan(60);
  expect(nginx).not.toMatch(/^\s*keepalive/m);
  for (const backend of haproxy.split(/^backend /m).slice(1)) expect(backend).toContain("option http-server-close");
});

test("neither .git, settings nor dumps are in the image", () => {
  const ignored = read("Dockerfile.dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".git", "**/.env*", "**/*.env", "**/*.dump"]));
});

test("the log of a container that keeps running cannot fill the disk", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as {
    services: Record<string, Record<string, unknown>>;
  };
  const running = Object.entries(services).filter(([, { restart }]) => restart);
  expect(running.map(([name]) => name)).toEqual(["database", "app", "desk", "caddy"]);
  for (const [, { logging }] of running)
    expect(logging).toEqual({ driver: "local", options: { "max-size": "50m", "max-file": "20" } });
});

test("the image and the unit run in production mode", () => {
  expect(read("Dockerfile")).toMatch(/^ENV NODE_ENV=production /m);
  expect(read("rent-advance@.service")).toMatch(/^Environment=NODE_ENV=production /m);
});

const units = ["rent-advance@.service", "rent-advance-worker.service", "rent-advance-desk.service"];

test.each(units)("%s loads the encrypted settings", (unit) => {
  expect(read(unit)).toMatch(/^LoadCredentialEncrypted=rent-advance\.env$/m);
});

test("the memory of each unit is limited", () => {
  for (const unit of units) expect(read(unit)).toMatch(/^MemoryMax=1G$/m);
});

test.each([
  ["rent-advance@.service", "3000", "3000 127.0.0.1 13000"],
  ["rent-advance@.service", "3001", "3001 127.0.0.1 13001"],
  // The worker listens for requests of its metrics only.
  ["rent-advance-worker.service", "", "80 0.0.0.0 9464"],
])(
  "the settings file cannot change the address and ports that %s %s sets, which differ from those of the others",
  (unit, instance, expected) => {
    const [start = ""] = read(unit).match(/(?<=^ExecStart=).*/m) ?? [];
    const command = start.replaceAll("%i", instance).replace(/npm .*/, "printenv PORT HOST METRICS_PORT");
    const fromFile = { PORT: "80", HOST: "0.0.0.0", METRICS_PORT: "9999" };
    const printed = execSync(command, { env: { ...process.env, ...fromFile }, encoding: "utf8" });
    expect(printed.trim().split("\n").join(" ")).toBe(expected);
  },
);

test("nginx and HAProxy do not repeat a POST of invitations that a process has received, and nginx passes on what the app refuses as too large", () => {
  const invitations = /location \/api\/v1\/invitations \{[^}]*/.exec(nginx)?.[0];
  expect(invitations).toContain("proxy_next_upstream error timeout;");
  expect(invitations).toContain("client_max_body_size 512k;");
  expect(haproxy).toContain("http-request disable-l7-retry if METH_POST { path_sub invitations }");
});

test("nginx and HAProxy pass 64 kB of cookies, as the app and Caddy do", () => {
  const [, plain = "", encrypted = ""] = nginx.split(/^server \{/m);
  for (const server of [plain, encrypted]) expect(server).toContain("large_client_header_buffers 4 80k;");
  expect(Number(/tune\.bufsize (\d+)/.exec(haproxy)?.[1])).toBeGreaterThan(80 * 1024);
});

test("nginx and HAProxy request a script that one process lacks from the other, which may run another version", () => {
  const files = /location \/_next\/static\/ \{[^}]*/.exec(nginx)?.[0];
  expect(files).toContain("proxy_next_upstream error timeout http_404;");
  expect(haproxy).toContain("use_backend files if { path_beg /_next/static/ }");
  const backend = haproxy.split(/^backend /m).find((part) => part.startsWith("files\n"));
  expect(backend).toMatch(/retry-on .* 404\n(.*\n)*\toption redispatch 1\n/);
});

test("logs are sent and accepted over TLS 1.2 or 1.3 only, between servers that know each other's certificate", () => {
  const [sender, receiver] = [read("rsyslog.conf"), read("rsyslog-receiver.conf")];
  for (const recipe of [sender, receiver]) {
    expect(recipe).toMatch(/StreamDriver\.?Mode="1" StreamDriver\.?AuthMode="x509\/name"/);
    expect(recipe).toContain('StreamDriver.CheckExtendedKeyPurpose="on"');
    expect(recipe).toContain('gnutlsPriorityString="SECURE128:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.3"');
  }
  expect(sender.match(/PermittedPeers=.*/g)).toEqual(['PermittedPeers="logs.example"']);
  expect(receiver.match(/PermittedPeer=.*/g)).toEqual(['PermittedPeer=["app"]']);
  expect(`${sender}${receiver}`).not.toMatch(/imudp|imptcp|protocol="udp"|^\s*\*\.\*/m);
});

test("a server that sends logs cannot choose the folder they are written to", () => {
  const [file] = read("rsyslog-receiver.conf").match(/(?<=string=").*(?=")/) ?? [];
  expect(file?.replace("%HOSTNAME:::secpath-replace%", "")).toMatch(/^\/var\/log\/rent-advance\/(-?%\$\w+%)+\.log$/);
});

test("the desk has operations' database user, which the app must not have, and only this machine reaches it", () => {
  const unit = read("rent-advance-desk.service");
  expect(unit).toMatch(/^EnvironmentFile=\/etc\/rent-advance-desk\.env$/m);
  expect(unit).toMatch(/^ExecStart=.* RENT_PROCESS=desk DESK_PORT=3100 DESK_HOST=127\.0\.0\.1 /m);
  expect(read("rent-advance@.service")).not.toContain("rent-advance-desk.env");
  expect(read("nginx-desk.conf")).toContain("proxy_pass http://127.0.0.1:3100;");
});

test("the desk's nginx encrypts as the app's does", () => {
  for (const rule of [/ssl_protocols .*/, /ssl_ciphers .*/, /access_log .*/])
    expect(read("nginx-desk.conf").match(rule)?.[0]).toBe(
      nginx
        .split(/^server \{/m)
        .at(-1)
        ?.match(rule)?.[0],
    );
});
