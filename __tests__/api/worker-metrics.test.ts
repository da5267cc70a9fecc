import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { until } from "@/__tests__/support/until";

const { appUrl, sql } = freshDatabase();

test("'npm run worker' serves what it has sent, and how long the oldest message waits", async () => {
  const mail = await startMailServer();
  const port = await freePort();
  await sql("INSERT INTO messages (kind, channel, recipient) VALUES ('test', 'email', 'a@mail.example')");
  const env = { DATABASE_URL: appUrl, SMTP_URL: mail.url, SANDBOX_RECIPIENTS: "*", METRICS_PORT: String(port) };
  const args = ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/worker.ts"];
  const worker = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "ignore" });
  const scrape = () =>
    fetch(`http://127.0.0.1:${port}/metrics`).then(
      (response) => response.text(),
      () => "",
    );
  try {
    await until(async () =>
      (await scrape()).includes('rent_advance_messages_total{channel="email",kind="test",outcome="sent"} 1'),
    );
    expect(await scrape()).toMatch(/^rent_advance_oldest_message_due_seconds 0$/m);
    // Series begin at 0, since Prometheus sees no increase in a series that begins at 1, and would raise no alert.
    for (const outcome of ["failed", "unknown"])
      expect(await scrape()).toContain(
        `rent_advance_messages_total{channel="sms",kind="not-you",outcome="${outcome}"} 0`,
      );
  } finally {
    worker.kill("SIGTERM");
    // Prometheus keeps scraping on its open connection, which must not delay the shutdown.
    const scraping = setInterval(scrape, 200);
    await Promise.race([once(worker, "exit"), sleep(15_000)]);
    clearInterval(scraping);
    worker.kill("SIGKILL");
    await mail.stop();
  }
  expect([worker.exitCode, worker.signalCode]).toEqual([0, null]);
});

/** The METRICS_PORT of a unit's process, although the environment file sets the same port for every unit. */
function metricsPortOf(unit: string, instance: string): string {
  const [, start = ""] = /^ExecStart=(.+)$/m.exec(readFileSync(`docs/deploy/${unit}`, "utf8")) ?? [];
  const line = start.replaceAll("%i", instance).replace(/\/usr\/bin\/npm .*$/, "printenv METRICS_PORT");
  return execFileSync("sh", ["-c", line], { encoding: "utf8", env: { ...process.env, METRICS_PORT: "9999" } }).trim();
}

test("no two processes of one machine get the same METRICS_PORT from their units", () => {
  const ports = [
    metricsPortOf("rent-advance@.service", "3000"),
    metricsPortOf("rent-advance@.service", "3001"),
    metricsPortOf("rent-advance@.service", "3002"),
    metricsPortOf("rent-advance-worker.service", ""),
  ];
  expect(ports).toEqual(["13000", "13001", "13002", "9464"]);
});
