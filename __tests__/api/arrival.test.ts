import { NextRequest } from "next/server";
import { freshDatabase } from "@/__tests__/support/database";
import { guess } from "@/__tests__/support/guess";
import { invited } from "@/__tests__/support/invited";
import { arrive } from "@/__tests__/support/post";
import { writeHandoff } from "@/lib/domain/handoff";
import { resolveArrival } from "@/lib/server/http/arrival";
import { makeToken } from "@/lib/server/links/token";
import { proxy } from "@/proxy";

const { sql, withoutTable } = freshDatabase();

const open = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`http://localhost:3000${path}`, { headers }));
const forwardedBy = ({ headers }: Response) => headers.get("x-middleware-request-x-handoff");
const handoff = writeHandoff({ token: "T", source: null });
const cookie = `handoff=${encodeURIComponent(handoff)}`;

describe("the token and source of a link", () => {
  test.each([
    ["/?token=T&source=ba", "/"],
    ["/landing?token=T", "/landing"],
    ["/home?token=T", "/"],
    ["/home?source=ia", "/home"],
    ["/?utm_source=sms&token=T&utm_medium=x", "/?utm_source=sms&utm_medium=x"],
    ["/review&submit?token=T", "/review&submit"],
  ])("the token and source are removed from the address: %s leads to %s", (path, location) => {
    const response = open(path);
    expect(response.status).toBe(307);
    expect(response.headers.get("location")).toBe(`http://localhost:3000${location}`);
  });

  test("the token and source are put into an HttpOnly cookie for 60 seconds, with Cache-Control: no-store", () => {
    const response = open("/?token=T&source=ba");
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^handoff=/);
    for (const flag of ["HttpOnly", "SameSite=lax", "Max-Age=60", "Path=/"]) expect(cookie).toContain(flag);
    expect(response.headers.get("location")).not.toContain("token");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("over https the cookie is Secure and bound to this host: one set by a sibling domain is not read", () => {
    const secure = { "x-forwarded-proto": "https" };
    expect(open("/?token=T", secure).headers.get("set-cookie")).toMatch(/^__Host-handoff=.*; Secure/);
    expect(forwardedBy(open("/", { ...secure, cookie }))).toBeNull();
    expect(forwardedBy(open("/", { ...secure, cookie: `__Host-${cookie}` }))).not.toBeNull();
  });

  test("the token is not lost on the way to the 401 page, which opens with any token", () => {
    expect(forwardedBy(open("/un-authorized", { cookie }))).toBe(handoff);
  });

  test("the opt-out page gets no token, and the cookie is deleted", () => {
    const response = open("/stop", { cookie });
    expect(forwardedBy(response)).toBeNull();
    expect(response.headers.get("set-cookie")).toMatch(/^handoff=;/);
  });

  test("the cookie works once: the next page deletes it", () => {
    expect(open("/", { cookie }).headers.get("set-cookie")).toMatch(/handoff=;.*(Max-Age=0|1970)/i);
  });

  test("a handoff header from the client is dropped", () => {
    expect(forwardedBy(open("/", { "x-handoff": handoff }))).toBeNull();
  });
});

describe("the arrival at a page", () => {
  test("a valid link is verified; without a source in the link, the application's own applies", async () => {
    const { token, reference } = await invited({}, { source: "ia" });
    expect(await arrive(token)).toMatchObject({ state: "verified", row: { reference }, keep: { token, source: "ia" } });
    expect(await arrive(token, "ba")).toMatchObject({ keep: { source: "ba" } });
  });

  test("a link that is unknown, expired or revoked is refused", async () => {
    const expired = await invited({}, { expiresInDays: -1 });
    const revoked = await invited();
    await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [revoked.id]);
    for (const token of [makeToken(), "x", expired.token, revoked.token]) {
      expect(await arrive(token, "ba")).toEqual({ state: "refused", token });
    }
  });

  test("wrong links count towards the limit of a network's calls, and beyond it a valid link still opens", async () => {
    const from = (n: number) => ({ "x-forwarded-for": `2001:db8:9:9:${n}::1` });
    for (let n = 0; n <= 20; n += 1)
      expect(await arrive("wrong", "ba", from(n))).toEqual({ state: "refused", token: "wrong" });
    expect(await guess([from(21)])).toEqual([429]);
    const { token } = await invited();
    expect(await arrive(token, "ba", from(22))).toMatchObject({ state: "verified" });
  });

  test("while the database is unavailable the link is neither verified nor refused: the browser retries with its token", async () => {
    const { token } = await invited();
    const arrival = await withoutTable("links", () => arrive(token, "ia"));
    expect(arrival).toEqual({ state: "unknown", keep: { token, source: "ia" } });
  });

  test("without a token nothing is verified: the browser verifies its stored one", async () => {
    expect(await resolveArrival(new Headers())).toEqual({ state: "unknown", keep: null });
    expect(await arrive(null, "ia")).toEqual({ state: "unknown", keep: { token: null, source: "ia" } });
  });
});
