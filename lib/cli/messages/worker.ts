import { command, withDatabase } from "@/lib/cli/shared/command";
import { untilSignalled } from "@/lib/cli/shared/processes";
import { startWorker } from "@/lib/server/delivery/worker";
import { keyNotice } from "@/lib/server/evidence/key";
import { serveMetrics } from "@/lib/server/http/metrics";
import { logConsoleAsJson } from "@/lib/server/json-console.mjs";
import { requireAppUrl } from "@/lib/server/sending-settings";
import { currentSettings, requireSettings } from "@/lib/server/settings";

const usage = `Sends the messages that are due, answers requests for fresh links, reads delivery reports and appends to the
evidence log. If you run it, start the app with WORKER=off. Any number of workers may run; SIGTERM stops one after its current messages.
With METRICS_PORT it serves metrics at /metrics on 127.0.0.1: give each process its own port.

  bin/rent worker`;

if (require.main === module) logConsoleAsJson();

export default command(
  module,
  { usage },
  async () => {
    const { email, sms, webhook } = currentSettings().sending;
    const channels = Object.entries({ email, sms, webhook }).flatMap(([name, isSet]) => (isSet ? [name] : []));
    requireSettings();
    requireAppUrl();
    await withDatabase(async (url) => {
      const notice = keyNotice(true);
      if (notice) console.error(notice);
      const { METRICS_PORT } = currentSettings();
      const metrics = METRICS_PORT ? await serveMetrics(METRICS_PORT) : undefined;
      const worker = startWorker(url, { spacingMs: 0 });
      const isSending = channels.length > 0;
      console.log(
        `Appending to the evidence log. ${isSending ? `Sending by ${channels.join(", ")}.` : "Sending is not set up."}`,
      );
      // A signal listener alone does not keep the process alive, so a timer does.
      const keepAlive = setInterval(() => {}, 60_000);
      await untilSignalled();
      clearInterval(keepAlive);
      await worker.stop();
      // Prometheus keeps its connection open, and each of its scrapes would reopen the database connection.
      metrics?.close();
      metrics?.closeAllConnections();
    }, "app");
  },
  { isService: true },
);
