import { once } from "node:events";
import { createServer } from "node:net";
import { UsageError } from "./command";

/** A port that is free now: the one wished for or, for 0, any. Throws where it is taken. */
export async function freePort(wished: number, advice: string): Promise<number> {
  const probe = createServer();
  await once(probe.listen(wished), "listening").catch(() => {
    throw new UsageError(`Port ${wished} is in use: ${advice}`);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === "object" && address ? address.port : wished;
}
