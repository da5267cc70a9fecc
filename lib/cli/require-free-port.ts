import { once } from "node:events";
import { createServer } from "node:net";

/** Throws if something listens on that port now. */
export async function requireFreePort(wished: number, advice: string): Promise<void> {
  const probe = createServer();
  await once(probe.listen(wished), "listening").catch(() => {
    throw new Error(`Port ${wished} is in use: ${advice}`);
  });
  await new Promise((resolve) => probe.close(resolve));
}
