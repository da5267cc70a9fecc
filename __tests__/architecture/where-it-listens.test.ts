import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** The host that 'npm run dev' passes to `next`; null if it passes none. */
function hostOf(HOST: string | undefined): string | null {
  const printed = scripts.dev?.replace(/^.* exec node /, "echo ") ?? "";
  const env = { ...process.env, HOST };
  const args = execFileSync("sh", ["-c", printed], { env, encoding: "utf8" }).trim().split(" ");
  return args.includes("-H") ? args.slice(args.indexOf("-H") + 1).join(" ") : null;
}

test("'npm run dev' listens on HOST, otherwise on every address", () => {
  for (const host of ["127.0.0.2", "::1"]) expect(hostOf(host)).toBe(host);
  for (const nothing of [undefined, ""]) expect(hostOf(nothing)).toBeNull();
});

/** The processes that the demo has started, with their arguments and hosts. It creates its links last. */
const started: { args: string[]; host: string | undefined }[] = [];
let onLinks = () => {};
// The demo says what to do next.
beforeEach(() => jest.spyOn(console, "log").mockImplementation());

jest.mock("@/lib/server/db/embedded", () => ({ embeddedPostgres: async () => ({}) }));
jest.mock("@/lib/development/demo-links", () => ({ printDemoLinks: async () => onLinks() }));
jest.mock("@/lib/development/sign-in-provider", () => ({
  openSignInProvider: async () => ({ settings: {}, close: () => {} }),
}));
// The settings of a demo that runs beside the tests must not change.
jest.mock("@/lib/cli/shared/demo-settings", () => ({ writeDemoSettings: () => {}, removeDemoSettings: () => {} }));
jest.mock("@/lib/cli/shared/processes", () => ({
  requireFreePort: async () => {},
  runChild: (args: string[], env: Record<string, string> = {}) => {
    started.push({ args, host: env.HOST });
    return { ended: Promise.resolve(0), hasEnded: () => false, stop: async () => 0 };
  },
}));

/** The host that the demo passes to the app, and the address at which it waits for the app. */
async function demo(HOST: string | undefined) {
  started.length = 0;
  const fetchMock = jest.spyOn(globalThis, "fetch").mockImplementation(async () => new Response());
  // With a key file named, the demo creates none.
  jest.replaceProperty(process, "env", { ...process.env, PORT: "4711", HOST, EVIDENCE_KEY_FILE: "key.json" });
  jest.resetModules();
  const linked = new Promise<void>((resolve) => {
    onLinks = resolve;
  });
  (await import("@/lib/development/demo")).default([]);
  await linked;
  const app = started.find(({ args }) => args.includes("lib/server/process/server.mjs"));
  return { host: app?.host, at: fetchMock.mock.calls[0]?.[0] };
}

test.each([
  [undefined, "127.0.0.1", "127.0.0.1"],
  ["", "127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", "0.0.0.0", "127.0.0.1"],
  ["::1", "::1", "[::1]"],
])("with HOST=%s the demo listens on %s", async (HOST, listens, reached) => {
  expect(await demo(HOST)).toEqual({ host: listens, at: `http://${reached}:4711/api/health` });
});
