/** Next calls this once, before the server accepts its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { prepareDesk, prepareServer } = await import("@/lib/server/process/prepare-server");
  await (process.env.RENT_PROCESS === "desk" ? prepareDesk() : prepareServer());
}
