import { freshDatabase } from "@/__tests__/support/database";

const { url, appUrl } = freshDatabase();

/** What the start of the app says on standard error. */
async function saidAtStartAs(databaseUrl: string): Promise<string> {
  process.env.DATABASE_URL = databaseUrl;
  jest.resetModules();
  const said = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const { prepareServer } = await import("@/lib/server/prepare-server");
    await prepareServer();
    return said.mock.calls.map(([line]) => line).join("");
  } finally {
    said.mockRestore();
    process.env.DATABASE_URL = appUrl;
  }
}

test("where one database user does it all, the start says in one line what is not guarded", async () => {
  expect(await saidAtStartAs(url)).toMatch(
    /^The app's database user is a superuser: .+ are not guarded .+ 'npm run roles' .+\n$/,
  );
});

test("as the app's own database user it says nothing", async () => {
  expect(await saidAtStartAs(appUrl)).toBe("");
});
