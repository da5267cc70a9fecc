import { once } from "node:events";
import { createServer } from "node:net";

/** Returns `wished` if that port is free now, otherwise throws. 0 stands for any free port. */
export async function freePort(wished: number, advice: string): Promise<number> {
  const probe = createServer();
  await once(probe.listen(wished), "listening").catch(() => {
    throw new Error(`Port ${wished} is in use: ${advice}`);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : wished;
}
