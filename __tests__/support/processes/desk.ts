import { openSignInProvider } from "@/lib/development/sign-in-provider";
import { type App, freePort, startApp } from "./app";

/** Starts the desk and the provider with which people sign in. */
export async function startDesk(database: string, settings: Record<string, string> = {}): Promise<App> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const provider = await openSignInProvider(url);
  const own = { RENT_PROCESS: "desk", DESK_PORT: String(port), DESK_HOST: "127.0.0.1", DESK_URL: url };
  const desk = await startApp({ database, port, settings: { ...settings, ...own, ...provider.settings } });
  return {
    ...desk,
    url,
    async end(signal) {
      const code = await desk.end(signal);
      provider.close();
      return code;
    },
  };
}
