import { freshDatabase } from "@/__tests__/support/database";
import { GET as health } from "@/app/api/health/route";

freshDatabase();

test("health is 200 while the database answers", async () => {
  const response = await health();
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok" });
  expect(response.headers.get("cache-control")).toBe("no-store");
});
