import { sixCalls } from "@/__tests__/support/calls";
import { post } from "@/__tests__/support/post";
import { GET as health } from "@/app/api/health/route";
import { makeToken } from "@/lib/server/access/token";
import { closeDatabase } from "@/lib/server/database/client";

// Nothing listens on port 1.
process.env.DATABASE_URL = "postgresql://nobody@127.0.0.1:1/nothing";
process.env.LOG_LEVEL = "silent";

afterAll(closeDatabase);

test.each(sixCalls)("$name answers 503 with Retry-After within two seconds", async ({ handler }) => {
  const begun = performance.now();
  const { status, body, headers } = await post(handler, { token: makeToken(), data: {} });
  expect(status).toBe(503);
  expect(headers.get("retry-after")).toBe("5");
  expect(body).toEqual({
    success: false,
    message: "We cannot reach our records right now. Please try again in a few seconds.",
  });
  expect(performance.now() - begun).toBeLessThan(2000);
});

test("health is 503", async () => {
  expect((await health()).status).toBe(503);
});
