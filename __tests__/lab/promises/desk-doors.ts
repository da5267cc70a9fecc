import { readdirSync } from "node:fs";
import { application, type Fields, openDesk, signedIn } from "@/__tests__/lab/promises/support/desk";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise } from "@/__tests__/lab/promises/support/world";
import { callAction, type DeskAction, deskActions, deskUrl } from "@/__tests__/support/desk";
import type { App } from "@/__tests__/support/processes/app";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { sendText } from "@/__tests__/support/processes/send-alone";

/** What each action's form sends besides what its page shows. */
const typed: Record<string, Fields> = {
  ...{
    take: {},
    release: {},
    note: { note: "Call first" },
    review: {},
    undoChange: {},
    sendLink: {},
    revoke: {},
    erase: {},
  },
  setDecision: { to: "approved", reason: "It is right" },
  correct: { email: "right@mail.example", send: "on" },
  ...{ lookUp: {}, addOne: { reason: "by phone" }, removeOne: { reason: "asked again" }, retryOne: { number: "1" } },
  ...{ retryAll: { state: "failed", channel: "email" }, inviteOne: { sending: "show", step: "send", second: "on" } },
};

/** Sends a request as it stands, because fetch would tidy its path. */
async function raw(app: Pick<App, "url">, method: string, path: string, headers: Fields) {
  const lines = Object.entries({ host: new URL(app.url).host, connection: "close", ...headers });
  const text = await sendText(
    app,
    `${[`${method} ${path} HTTP/1.1`, ...lines.map((pair) => pair.join(": "))].join("\r\n")}\r\n\r\n`,
  );
  return { status: Number(text.split(" ")[1]), text };
}

const ofDesk = [
  "",
  "/sign-in",
  "/sign-in/start",
  "/signed-in?code=1",
  "/messages",
  "/invite",
  "/figures",
  "/studio",
  "/studio/bff",
  "/news",
  "/AAAA-AAAA",
  "/AAAA-AAAA/export",
];
const elsewhere = [
  "/DESK",
  "//desk",
  "/%64esk",
  "/home/../desk",
  "/api/../desk",
  "/_next/../desk",
  "/_next/data/x/desk.json",
  "/desk.rsc",
  "/desk.txt",
];
const ofApplicants = [
  "/",
  "/home",
  "/landing",
  "/review&submit",
  "/submit-success",
  "/un-authorized",
  "/stop",
  "/logo",
  "/robots.txt",
  "/api/csp-report",
  "/api/v1/user/verify-token",
  "/api/v1/invitations",
  "/api/messages/stop",
  "/api/metrics",
];
const around = [
  "/desk/../home",
  "/desk/..%2fhome",
  "/desk/%2e%2e/home",
  "/api/health/../v1/user/submit",
  "/_next/static/../../home",
  "/_next/image?url=/icon.svg&w=64&q=75",
  "/?token=x&source=ba",
];
const methods = ["GET", "HEAD", "POST", "PUT"];

/** Tries every path with every method and header. Returns how many answers showed nothing of the other process. */
async function knock(app: Pick<App, "url">, paths: string[], id: string, secrets: RegExp): Promise<number> {
  const tree = encodeURIComponent(JSON.stringify(["", { children: ["desk", {}] }]));
  const headers: Fields[] = [
    {},
    { rsc: "1", "next-router-state-tree": tree },
    { "next-action": id, origin: app.url, "x-middleware-subrequest": "proxy" },
  ];
  const tries = paths.flatMap((path) => methods.flatMap((method) => headers.map((each) => ({ path, method, each }))));
  await runConcurrently(tries.length, 16, async (n) => {
    const { path, method, each } = tries[n] as (typeof tries)[number];
    const { status, text } = await raw(app, method, path, each);
    // An extra slash is redirected to the path without it.
    expect([400, 404, 405, 308].includes(status), `${method} ${path} with ${JSON.stringify(each)}: ${status}`);
    expect(!secrets.test(text), `${method} ${path} with ${JSON.stringify(each)} shows ${secrets.exec(text)?.[0]}`);
  });
  return tries.length;
}

/** Scripts and styles of the desk's build that the applicants' build does not have. */
function deskFiles(): string[] {
  const filesOf = (build: string) => readdirSync(`${build}/static`, { recursive: true, encoding: "utf8" });
  const shared = new Set(filesOf(".next"));
  return filesOf(".next-desk").filter((name) => /\.(js|css)$/.test(name) && !shared.has(name));
}

promise(85, async (world) => {
  const { app, sql } = world;
  const desk = await (await openDesk(world))();
  const actions = deskActions();
  const [first] = actions;
  const served = await knock(
    app,
    [...ofDesk.map((path) => `/desk${path}`), ...elsewhere],
    first?.id ?? "",
    /Sign in to the desk|"refused"|location: .*(auth|sign-in)|set-cookie: .*desk/i,
  );
  const files = deskFiles();
  for (const name of files)
    same((await fetch(`${app.url}/_next/static/${name}`)).status, 404, `the applicants' ${name}`);
  const own = await knock(desk, [...ofApplicants, ...around], first?.id ?? "", /<html|"success"|__next_f|set-cookie/i);
  for (const path of ["/api/health", "/api/ready", "/desk/sign-in", "/icon.svg"])
    same((await fetch(deskUrl() + path)).status, 200, `the desk's ${path}`);
  const { cookie: casey } = await signedIn(world, "Casey");
  const { cookie: robin } = await signedIn(world, "Robin");
  const origin = deskUrl();
  let refusals = 0;
  for (const action of actions) {
    const state = action.name === "correct" ? "draft" : action.name === "undoChange" ? "in-review" : "submitted";
    const { id, reference, mobile, shown } = await application(world, state, action.name === "release");
    const fields = { mobile, address: "other@mail.example", reference, ...(await shown()), ...typed[action.name] };
    expect(typed[action.name], `nothing is known of the action ${action.name}`);
    const stored = () =>
      sql(
        `SELECT a::text, (SELECT jsonb_agg(e) FROM events e WHERE e."applicationId" = a.id),
        (SELECT jsonb_agg(l) FROM links l WHERE l."applicationId" = a.id), (SELECT jsonb_agg(m ORDER BY m.number) FROM messages m),
        (SELECT jsonb_agg(s) FROM suppressions s), (SELECT count(*) FROM applications) FROM applications a WHERE id = $1`,
        [id],
      );
    const attempt = async (what: string, headers: Fields) => {
      const before = await stored();
      const { done, refused } = await callAction(action, fields, headers);
      same(await stored(), before, `${action.name} ${what} changes something`);
      return done ?? refused ?? "";
    };
    const others: Fields[] = [
      { origin: "https://evil.example", cookie: robin },
      { cookie: robin },
      { origin: "null", cookie: robin },
      { origin: origin.replace("http:", "https:"), cookie: robin },
    ];
    for (const headers of others) {
      const said = await attempt(`with ${headers.origin}`, headers);
      expect(
        said === "" || said.includes("did not come from the desk"),
        `${action.name} with ${headers.origin}: ${said}`,
      );
    }
    for (const cookie of ["", "desk-session=", `desk-session=${"A".repeat(43)}`, robin.replace("session", "sign-in")])
      expect(
        (await attempt(`with the cookie ${cookie}`, { origin, cookie })).includes("signed out"),
        `${action.name} without a session`,
      );
    const needsApprover = ["decide", "revoke", "remove-opt-out", "export", "erase"].includes(action.right);
    if (needsApprover)
      same(await attempt("by a clerk", { origin, cookie: casey }), "Only an approver may do this.", action.name);
    if (action.name === "inviteOne") Object.assign(fields, await previewed(action, fields, { origin, cookie: robin }));
    await callAction(action, fields, { origin, cookie: robin });
    await attempt("replayed", { origin, cookie: robin });
    refusals += others.length + 5 + Number(needsApprover);
  }
  return `${served} requests to the applicants' process and ${own} to the desk's: nothing of the other; ${files.length} files of the desk alone, not served; ${actions.length} actions without a session, with a clerk's, from elsewhere and replayed: ${refusals} tries, 0 changed`;
});

async function previewed(action: DeskAction, fields: Fields, headers: Fields): Promise<Fields> {
  const { text } = await callAction(action, { ...fields, step: "preview" }, headers);
  return { confirmed: /"digest":"(\w+)"/.exec(text)?.[1] ?? "" };
}
