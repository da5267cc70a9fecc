import { type APIRequestContext, type Browser, expect, test } from "@playwright/test";
import { type DeskAction, deskActions, deskUrl, signIn, unguardedActions } from "@/__tests__/support/desk";
import { invite, sql } from "@/__tests__/support/journey";

/** What a clerk may not do. */
const approverRights = ["decide", "revoke", "remove-opt-out", "export", "erase"];
const notFromDesk = "This request did not come from the desk.";
const signedOut = "You have been signed out.";
const approversOnly = "Only an approver may do this.";

/** Calls an action as Next's own script would, with fields that any action finds something in. */
async function call(
  request: APIRequestContext,
  { id, page }: DeskAction,
  reference: string,
  headers: Record<string, string>,
) {
  const fields = {
    reference,
    note: "note",
    reason: "reason",
    address: "someone@mail.example",
    status: "approved",
    number: "1",
  };
  const multipart = {
    "0": '[null,"$K1"]',
    ...Object.fromEntries(Object.entries(fields).map(([k, v]) => [`1_${k}`, v])),
  };
  const response = await request.post(
    `${deskUrl()}${page.replace("[reference]", reference).replace(/\[\w+\]/, "approved")}`,
    { headers: { "next-action": id, ...headers }, multipart },
  );
  return response.text();
}

const stateOf = (reference: string) =>
  sql(
    `SELECT a::text AS application, (SELECT count(*) FROM events e WHERE e."applicationId" = a.id) AS events,
      (SELECT count(*) FROM messages m WHERE m."applicationId" = a.id) AS messages,
      (SELECT string_agg(l::text, ',') FROM links l WHERE l."applicationId" = a.id) AS links
    FROM applications a WHERE reference = $1`,
    [reference],
  );

async function requestsOf(browser: Browser, person: "Casey" | "Robin") {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, person);
  await page.close();
  return context;
}

test("every action is refused without a session, beyond the role's rights, and from elsewhere", async ({
  browser,
  playwright,
}) => {
  const actions = deskActions();
  expect(actions.length).toBeGreaterThan(5);
  // Only these need no right: they do nothing but end or keep the caller's own session.
  expect(unguardedActions()).toEqual(expect.arrayContaining(["signOut"]));
  expect(unguardedActions().filter((name) => !["signOut", "askTimeLeft", "staySignedIn"].includes(name))).toEqual([]);
  const { reference } = await invite("--mobile", "61412000884");
  const before = await stateOf(reference);
  const own = { origin: deskUrl() };
  const stranger = await playwright.request.newContext();
  const clerk = await requestsOf(browser, "Casey");
  const approver = await requestsOf(browser, "Robin");
  const foreign = { origin: "https://evil.example", "x-forwarded-host": "evil.example" };
  for (const action of actions) {
    expect(await call(stranger, action, reference, own), `${action.name} without a session`).toContain(signedOut);
    expect(await call(approver.request, action, reference, foreign), `${action.name} from elsewhere`).not.toContain(
      '"done"',
    );
    expect(await call(approver.request, action, reference, {}), `${action.name} without an Origin`).toContain(
      notFromDesk,
    );
    if (approverRights.includes(action.right))
      expect(await call(clerk.request, action, reference, own), `${action.name} by a clerk`).toContain(approversOnly);
  }
  expect(await stateOf(reference)).toEqual(before);
  await Promise.all([stranger.dispose(), clerk.close(), approver.close()]);
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
