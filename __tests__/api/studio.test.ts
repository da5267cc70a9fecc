import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { freshDatabase } from "@/__tests__/support/database";

jest.setTimeout(120_000);

const { url } = freshDatabase();
const port = 20_000 + (process.pid % 20_000);

function get(headers: Record<string, string>): Promise<{ status: number | undefined; policy: unknown }> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, headers }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, policy: answer.headers["content-security-policy"] });
    })
      .on("error", reject)
      .end();
  });
}

test("Studio's pages may connect to nothing else, other sites get 403, and SIGTERM ends it", async () => {
  const flags = ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/studio.ts", "--port", String(port)];
  const env = { ...process.env, DATABASE_URL: url };
  const studio = spawn(process.execPath, flags, { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(studio, "exit");
  try {
    const [said] = await once(createInterface({ input: studio.stdout }), "line");
    expect(said).toContain(`http://localhost:${port}`);
    const host = `localhost:${port}`;
    expect(await get({ host })).toEqual({ status: 200, policy: "connect-src 'self'" });
    expect((await get({ host: "attacker.example" })).status).toBe(403);
    expect((await get({ host, origin: "https://attacker.example" })).status).toBe(403);
  } finally {
    studio.kill("SIGTERM");
  }
  await ended;
  await expect(get({})).rejects.toThrow(/ECONNREFUSED/);
});
