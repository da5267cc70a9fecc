import { freshDatabase } from "@/__tests__/support/database";
import { readinessCache } from "@/__tests__/support/readiness-cache";
import { until } from "@/__tests__/support/until";
import { GET as ready } from "@/app/api/ready/route";
import { close } from "@/lib/server/db/client";
import { workerDatabase } from "@/lib/server/delivery/worker";

const { sql, url, appUrl } = freshDatabase();
const endCache = readinessCache();

/** New connections reach a node that is a standby, or the primary. */
const lead = (to: "standby" | "primary") =>
  sql(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = ${to === "standby"}`);
const isReady = async () => {
  endCache();
  return (await ready()).status === 200;
};

test("after a failover, the worker's connections leave the read-only node, and the app is not ready meanwhile", async () => {
  // The app itself has a connection to the primary.
  expect(await isReady()).toBe(true);
  await lead("standby");
  const worker = workerDatabase(appUrl);
  const write = () => worker.prisma.freshLinkRequest.deleteMany();
  try {
    await expect(write()).rejects.toThrow();
    expect(await isReady()).toBe(false);
    await lead("primary");
    await write();
    // A connection of the app may have reached the standby, too.
    await until(isReady);
  } finally {
    await close(worker);
  }
});
