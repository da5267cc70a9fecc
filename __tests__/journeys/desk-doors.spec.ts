import { type Browser, expect, test } from "@playwright/test";
import { callAction, cookiesOf, deskActions, deskUrl, signIn, unguardedActions } from "@/__tests__/support/desk";
import { invite, sql } from "@/__tests__/support/journey";

/** What a clerk may not do. */
const approverRights = ["decide", "revoke", "remove-opt-out", "export", "erase"];
const notFromDesk = "This request did not come from the desk.";
const signedOut = "You have been signed out.";
const approversOnly = "Only an approver may do this.";

/** Fields that any action finds something in. */
const fieldsFor = (reference: string) => ({
  reference,
  note: "note",
  reason: "reason",
  address: "someone@mail.example",
  status: "approved",
  number: "1",
});

const stateOf = (reference: string) =>
  sql(
    `SELECT a::text AS application, (SELECT count(*) FROM events e WHERE e."applicationId" = a.id) AS events,
      (SELECT count(*) FROM messages m WHERE m."applicationId" = a.id) AS messages,
      (SELECT string_agg(l::text, ',') FROM links l WHERE l."applicationId" = a.id) AS links
    FROM applications a WHERE reference = $1`,
    [reference],
  );

async function cookieOf(browser: Browser, person: "Casey" | "Robin"): Promise<string> {
  const page = await browser.newPage();
  await signIn(page, person);
  const cookie = await cookiesOf(page);
  await page.close();
  return cookie;
}

test("a form of another site is refused before Next reads it", async ({ request }) => {
  for (const origin of ["https://evil.example", "null", "garbage"]) {
    const answer = await request.post(`${deskUrl()}/desk/sign-in`, { headers: { origin }, multipart: { a: "b" } });
    expect([origin, answer.status()]).toEqual([origin, 403]);
  }
});

test("what is read through Studio is recorded, also without its page", async ({ browser }) => {
  const cookie = await cookieOf(browser, "Robin");
  const query = { query: { sql: "SELECT reference FROM applications LIMIT 1", parameters: [] } };
  const headers = { cookie, origin: deskUrl(), "content-type": "application/json" };
  const answer = await fetch(`${deskUrl()}/desk/studio/bff`, { method: "POST", headers, body: JSON.stringify(query) });
  expect(answer.status).toBe(200);
  const read = await sql(`SELECT FROM data_reads WHERE command = 'desk studio' AND by LIKE 'robin%' LIMIT 1`);
  expect(read).toBeDefined();
});

test("a large body is refused before anything of it is kept", async () => {
  const megabytes = (count: number) => "x".repeat(count * 1_000_000);
  const post = async (body: string | ReadableStream) => {
    const init = { method: "POST", body, redirect: "manual", duplex: "half" } as const;
    const { status } = await fetch(`${deskUrl()}/desk`, init);
    return status;
  };
  expect(await post(megabytes(2))).toBe(413);
  expect(await post(new Blob([megabytes(2)]).stream())).toBe(413);
  expect(await post(megabytes(0.001))).not.toBe(413);
});

test("every action is refused without a session, beyond the role's rights, and from elsewhere", async ({ browser }) => {
  const actions = deskActions();
  expect(actions.length).toBeGreaterThan(5);
  // Only these need no right: they do nothing but end or keep the caller's own session.
  expect(unguardedActions()).toEqual(expect.arrayContaining(["signOut"]));
  expect(unguardedActions().filter((name) => !["signOut", "askTimeLeft", "staySignedIn"].includes(name))).toEqual([]);
  const { reference } = await invite("--mobile", "61412000884");
  const before = await stateOf(reference);
  const fields = fieldsFor(reference);
  const own = { origin: deskUrl() };
  const [clerk, approver] = [await cookieOf(browser, "Casey"), await cookieOf(browser, "Robin")];
  const foreign = { origin: "https://evil.example", "x-forwarded-host": "evil.example" };
  for (const action of actions) {
    const answer = async (headers: Record<string, string>) => {
      const { done, refused } = await callAction(action, fields, headers);
      return done ?? refused;
    };
    expect(await answer(own), `${action.name} without a session`).toContain(signedOut);
    expect(await answer({ ...foreign, cookie: approver }), `${action.name} from elsewhere`).not.toEqual(
      expect.stringMatching(/^(?!This request)/),
    );
    expect(await answer({ cookie: approver }), `${action.name} without an Origin`).toBe(notFromDesk);
    if (approverRights.includes(action.right))
      expect(await answer({ ...own, cookie: clerk }), `${action.name} by a clerk`).toBe(approversOnly);
  }
  expect(await stateOf(reference)).toEqual(before);
});

test("an export is for approvers, from the desk itself, and is named by the reference", async ({ browser }) => {
  const { reference } = await invite("--mobile", "61412000885");
  const [clerk, approver] = [await cookieOf(browser, "Casey"), await cookieOf(browser, "Robin")];
  const ask = (headers: Record<string, string>) =>
    fetch(`${deskUrl()}/desk/${reference.toLowerCase()}/export`, { redirect: "manual", headers });
  expect((await ask({})).status).toBe(307);
  expect((await ask({ cookie: clerk })).status).toBe(403);
  for (const site of ["cross-site", "same-site"])
    expect((await ask({ cookie: approver, "sec-fetch-site": site })).status, site).toBe(403);
  const { status, headers } = await ask({ cookie: approver, "sec-fetch-site": "same-origin" });
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toBe(`attachment; filename="${reference}.html"`);
});

test("the applicants' process runs no action of the desk, on any path", async ({ request }) => {
  const app = process.env.APP_URL ?? "";
  for (const { id } of deskActions().slice(0, 5))
    for (const path of [
      "/",
      "/home",
      "/desk",
      "/desk/messages",
      "/nothing",
      "/api/../desk",
      "/_next/data/x",
      "/review",
    ]) {
      const headers = { "next-action": id, origin: app, rsc: "1" };
      const response = await request.post(`${app}${path}`, { headers, multipart: { "0": '[null,"$K1"]', "1_x": "1" } });
      expect([404, 405], `${path} answers ${response.status()}`).toContain(response.status());
      expect(await response.text()).not.toContain("refused");
    }
});

test("a page of the applicants names no file of the desk, and the applicants' process serves none", async ({
  request,
}) => {
  const app = process.env.APP_URL ?? "";
  const html = await (await request.get(`${deskUrl()}/desk/sign-in`)).text();
  const ofDesk = [...html.matchAll(/\/_next\/static\/chunks\/[\w./~-]+\.js/g)].map(([path]) => path);
  const landing = await (await request.get(`${app}/un-authorized`)).text();
  const own = ofDesk.filter((path) => !landing.includes(path));
  expect(own.length).toBeGreaterThan(0);
  const answers = await Promise.all(own.map(async (path) => (await request.get(`${app}${path}`)).status()));
  // Files of React and Next are in both builds. What is left is the desk's own.
  expect(answers.filter((status) => status === 404).length).toBeGreaterThan(0);
});
