import { NextRequest } from "next/server";
import { freshDatabase } from "@/__tests__/support/database";
import { type Forgery, startForgingProvider } from "@/__tests__/support/forging-provider";
import { lines } from "@/__tests__/support/log-lines";
import { withSettings } from "@/__tests__/support/with-settings";
import { GET as start } from "@/app/desk/sign-in/start/route.desk";
import { GET as finish } from "@/app/desk/signed-in/route.desk";
import { roleOf } from "@/lib/server/desk/rights";
import { endSession, findSession } from "@/lib/server/desk/sessions";
import { deskPath } from "@/lib/server/desk/sign-in";

process.env.LOG_LEVEL = "debug";
jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);
const { sql, countRows } = freshDatabase();

const secret = "client-secret-that-nobody-may-read";
const casey = { email: "casey@lender.example", email_verified: true };
const people = { DESK_CLERKS: ["@lender.example"], DESK_APPROVERS: ["Robin@lender.example", "Advance approvers"] };
let provider: Awaited<ReturnType<typeof startForgingProvider>>;
beforeAll(async () => {
  provider = await startForgingProvider("desk");
  // The desk runs as operations.
  await sql("GRANT ALL ON desk_sessions TO PUBLIC");
});
afterAll(() => provider.stop());

const atDesk = <T>(work: () => Promise<T>) =>
  withSettings(
    {
      ...people,
      deskUrl: "http://localhost:3100",
      DESK_OIDC_ISSUER: provider.issuer,
      DESK_OIDC_CLIENT_ID: "desk",
      DESK_OIDC_CLIENT_SECRET: secret,
    },
    work,
  );

const request = (path: string, cookie = "") =>
  new NextRequest(`http://localhost:3100${path}`, { headers: { cookie, "x-forwarded-for": "10.0.0.1" } });

/** The value of a cookie that a response sets. */
const cookieIn = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .flatMap((line) => (line.startsWith(`${name}=`) ? (line.split(/[=;]/)[1] ?? "") : []))[0];

/** Signs in at a provider that answers with this forgery. The browser sends `changes` in place of what the provider gave it. */
async function signIn(forgery: Forgery, changes: Record<string, string> = {}, earlier = "") {
  provider.state.forgery = {};
  const begun = await start(request("/desk/sign-in/start?to=/desk/messages"));
  const address = new URL(begun.headers.get("location") ?? "");
  provider.state.nonce = address.searchParams.get("nonce") ?? "";
  provider.state.forgery = forgery;
  const query = new URLSearchParams({ code: "the-code", state: address.searchParams.get("state") ?? "", ...changes });
  const attempt = `desk-sign-in=${cookieIn(begun, "desk-sign-in")}`;
  return finish(request(`/desk/signed-in?${query}`, `${attempt}; desk-session=${earlier}`));
}

test("a person whom the settings name is signed in, and signing in again ends the session before", () =>
  atDesk(async () => {
    const first = await signIn({ claims: casey });
    expect(first.headers.get("location")).toBe("http://localhost:3100/desk/messages");
    const earlier = cookieIn(first, "desk-session");
    expect(await findSession(earlier, { isUse: false })).toMatchObject({ by: casey.email, role: "clerk" });
    expect(await sql("SELECT by, command FROM data_reads")).toEqual([{ by: casey.email, command: "desk sign in" }]);
    const second = await signIn({ claims: casey }, {}, earlier);
    expect(await findSession(earlier, { isUse: false })).toBeNull();
    expect(await findSession(cookieIn(second, "desk-session"), { isUse: false })).not.toBeNull();
  }));

const failing = (path: string, status: number, text: string): Forgery => ({ answers: { [path]: { status, text } } });
const echo = JSON.stringify({ error: "invalid_client", error_description: `${secret} is wrong`, code: secret });

test.each<[string, Forgery, Record<string, string>?]>([
  ["refuses the client", failing("/token", 401, echo)],
  ["fails", failing("/token", 500, `<html>${secret}`)],
  ["answers no JSON", failing("/token", 200, `${secret}{`)],
  ["has no keys", failing("/keys", 500, secret)],
  ["is another", failing("/.well-known/openid-configuration", 200, JSON.stringify({ issuer: `http://${secret}` }))],
  ["has an ID token of another key", { claims: casey, isOfAnotherKey: true }],
  ["has an unsigned ID token", { claims: casey, header: { alg: "none" } }],
  ["has an ID token signed with the secret's algorithm", { claims: casey, header: { alg: "HS256" } }],
  ["has an ID token for another client", { claims: { ...casey, aud: "another" } }],
  ["has an ID token of another issuer", { claims: { ...casey, iss: "https://another.example" } }],
  ["has an ID token with another nonce", { claims: { ...casey, nonce: "another" } }],
  ["has an ID token without a nonce", { claims: { ...casey, nonce: undefined } }],
  ["has an ID token that has expired", { claims: { ...casey, exp: 1 } }],
  ["answers another browser", { claims: casey }, { state: "another" }],
  ["refuses the person", { claims: casey }, { error: "access_denied", error_description: secret }],
  ["says that another provider answers", { claims: casey }, { iss: "https://another.example" }],
])("nobody is signed in if the provider %s, and the secret stays secret", (_, forgery, changes = {}) =>
  atDesk(async () => {
    const before = await countRows("desk_sessions");
    lines.length = 0;
    const response = await signIn(forgery, changes);
    expect(response.headers.get("location")).toMatch(
      /\/desk\/sign-in\?to=%2Fdesk%2Fmessages&problem=(expired|provider)$/,
    );
    expect(cookieIn(response, "desk-session")).toBeUndefined();
    expect(await countRows("desk_sessions")).toBe(before);
    const seen = [...lines, ...response.headers].join() + (await response.text());
    expect(seen).toContain("signIn");
    expect(seen).not.toMatch(new RegExp([secret, "the-code", casey.email, "eyJ"].join("|")));
  }),
);

test("a link of another site leads to the sign-in page, and signs nobody in by itself", () =>
  atDesk(async () => {
    const asked = request("/desk/sign-in/start?to=//evil.example");
    asked.headers.set("sec-fetch-site", "cross-site");
    const { headers } = await start(asked);
    expect(headers.get("location")).toBe("http://localhost:3100/desk/sign-in?to=%2Fdesk&problem=");
  }));

test("more sign-ins than the limit are refused", () =>
  atDesk(async () => {
    provider.state.forgery = failing("/.well-known/openid-configuration", 503, "");
    const problems: (string | null)[] = [];
    for (let n = 0; n < 101; n += 1) {
      const asked = request("/desk/sign-in/start");
      asked.headers.set("x-forwarded-for", "10.0.0.2");
      problems.push(new URL((await start(asked)).headers.get("location") ?? "").searchParams.get("problem"));
    }
    expect([new Set(problems.slice(0, 100)), problems.at(100)]).toEqual([new Set(["provider"]), "too-many"]);
  }));

test("the sign-in page is shown, with its reason, while the provider is down", () =>
  atDesk(async () => {
    provider.state.forgery = failing("/.well-known/openid-configuration", 503, secret);
    lines.length = 0;
    const { headers } = await start(request("/desk/sign-in/start?to=/desk/messages"));
    expect(headers.get("location")).toBe("http://localhost:3100/desk/sign-in?to=%2Fdesk%2Fmessages&problem=provider");
    expect(lines.join()).not.toContain(secret);
  }));

test.each([
  [{ verifiedEmail: "robin@lender.example", groups: [] }, "approver"],
  [{ verifiedEmail: "Casey@Lender.example", groups: [] }, "clerk"],
  [{ verifiedEmail: "", groups: ["Advance approvers"] }, "approver"],
  [{ verifiedEmail: "eve@lender.example.evil.example", groups: ["@lender.example"] }, null],
  [{ verifiedEmail: "eve@not-lender.example", groups: ["robin@lender.example"] }, null],
  [{ verifiedEmail: "Advance approvers", groups: [] }, null],
  [{ verifiedEmail: "", groups: [""] }, null],
])("the settings make %j: %j", (claims, role) => withSettings(people, async () => expect(roleOf(claims)).toBe(role)));

test("an address that the provider has not verified counts for nothing, and names nobody in the records", () =>
  atDesk(async () => {
    for (const email_verified of [false, "true", undefined]) {
      const response = await signIn({ claims: { ...casey, email_verified } });
      expect(response.headers.get("location")).toContain("problem=nobody");
      expect(lines.at(-1)).toContain('"signIn":"nobody"');
    }
    const response = await signIn({ claims: { email: casey.email, sub: "7", groups: ["Advance approvers"] } });
    expect(await findSession(cookieIn(response, "desk-session"), { isUse: false })).toMatchObject({ by: "7" });
  }));

test("a session ends with the settings' mention of the person, and at the sign-out", () =>
  atDesk(async () => {
    const session = cookieIn(await signIn({ claims: casey }), "desk-session");
    const ask = () => findSession(session, { isUse: true });
    expect(await withSettings({ DESK_CLERKS: [] }, ask)).toBeNull();
    expect(await withSettings({ DESK_APPROVERS: [casey.email] }, ask)).toMatchObject({ role: "approver" });
    expect(await ask()).toMatchObject({ role: "clerk" });
    await endSession(session);
    expect(await ask()).toBeNull();
  }));

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/desk\\@evil.example",
  "/deskevil",
  "/home",
  "javascript:1",
])("a sign-in does not lead to %s", (path) => expect(deskPath(path)).toBe("/desk"));

test("over https, cookies are Secure, HttpOnly, Lax and for this host alone", () =>
  atDesk(async () => {
    provider.state.forgery = {};
    const secure = () => start(request("/desk/sign-in/start"));
    const [cookie = ""] = (
      await withSettings({ deskUrl: "https://desk.lender.example" }, secure)
    ).headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-desk-sign-in=.*; Path=\/; .*Secure; HttpOnly; SameSite=lax$/);
    expect(cookie).not.toContain("Domain");
  }));
