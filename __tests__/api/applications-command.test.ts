import { agent, consent } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { POST as submitStep2 } from "@/app/api/v1/user/submit-step-2/route";
import { sinceOf } from "@/lib/cli/options";
import { searchText } from "@/lib/domain/search-text";
import { takeApplication } from "@/lib/server/applications/handling";
import { findApplications, listApplications, searchedText } from "@/lib/server/applications/search";

const { operationsUrl, sql } = freshDatabase();
const run = (...args: string[]) => callCommand("applications", args, { DATABASE_URL: operationsUrl });

let reference = "";
beforeAll(async () => {
  const ada = await invited({
    firstName: "Augusta",
    lastName: "Byron",
    mobile: "61412345678",
    email: "augusta1815@mail.example",
    propertyAddress: "12 O’Callaghan St",
    agencyName: "So\u0308derberg & Sons",
    managerLastName: "O’Shah",
    managerEmail: "priya@hill.example",
  });
  await fillIn(ada.token);
  await post(submitFinal, { token: ada.token, data: consent });
  reference = ada.reference;
  await invited({ firstName: "Grace", lastName: "100%_Hopper", mobile: "61422222222" });
  await invited({ firstName: "Margaret", lastName: "Hamilton", mobile: "61433333333" });
  await sql(`INSERT INTO applications (reference, "firstName", "lastName", mobile)
    SELECT 'N' || lpad(n::text, 7, '0'), 'First ' || letters, 'Last ' || letters, '614' || translate(lpad(n::text, 8, '0'), '56789', '01234')
    FROM generate_series(1, 300) AS n, translate(n::text, '0123456789', 'abcdefghij') AS letters`);
});

test.each([
  ["its reference as it is read out", () => reference.toLowerCase().replace("-", "")],
  ["the mobile as it is written at home", () => "0412 345 678"],
  ["the end of the mobile", () => "345 678"],
  ["four digits of it", () => "5678"],
  ["the mobile in several words", () => "+61 412 345 678"],
  ["the mobile as it is dialled abroad", () => "0011 61 412 345 678"],
  ["the mobile in other digits", () => "０４１２ ３４５ ６７８"],
  ["first and last name", () => "ada  byr"],
  ["the name that the invitation gave", () => " Augusta "],
  ["its email", () => "ADA@example.com"],
  ["the email that the invitation gave", () => "augusta1815@"],
  ["the property", () => "ocallaghan st"],
  ["the agency", () => "Soderberg"],
  ["the agency with its accent", () => "söderberg & sons"],
  ["the agent's email", () => "grace@harbour"],
  ["the agent's name, as the invitation gave it, and their own", () => "oshah byron"],
  ["the agent's email, as the invitation gave it", () => "priya@hill"],
])("an application is found by %s", async (_, words) => {
  expect(await findApplications(words())).toMatchObject([
    {
      reference,
      status: "submitted",
      name: "Ada Byron",
      mobile: "61412345678",
      submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      invitedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      warning: "",
      step: null,
      documents: "agent",
    },
  ]);
});

test("a search reads text as the database does", async () => {
  const given = "O'Connor O’Connor Söderberg So\u0308derberg ŁÓDŹ Strauß Nguyễn Ærø １２a İ´`".split(" ");
  const [row] = await sql<{ texts: string[] }>(
    `SELECT array_agg(search_text(t) ORDER BY n) AS texts
    FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n)`,
    [given],
  );
  expect(row?.texts).toEqual(given.map(searchText));
});

test("the index of searches by name has the expression that they read", async () => {
  const [row] = await sql<{ made: string }>("SELECT pg_get_indexdef('applications_search'::regclass) AS made");
  const plain = (text: string) => text.replace(/::text|\ba\.|[()\s"]/g, "");
  expect(plain(row?.made ?? "")).toContain(plain(searchedText));
});

test.each(["", "  ", "567", "%%", "ada nobody", "Ada\\"])("nothing is found by %j", async (words) => {
  expect(await findApplications(words)).toEqual([]);
});

test("a search matches all words of the command line", async () => {
  const { code, out } = await run("find", "+61", "412", "345", "678", "--json");
  expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ reference })]]);
});

test("an index finds the applications since a day, even among millions", async () => {
  // Among few, reading all of them would be quicker.
  await sql("SET enable_seqscan = off");
  const plan = await sql(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM applications a WHERE COALESCE(a."submittedAt", a."createdAt") >= now()`,
  );
  await sql("RESET enable_seqscan");
  expect(JSON.stringify(plan)).toContain("applications_came_at_idx");
});

test("a name that could be a reference is found as a name", async () => {
  expect(await findApplications("margaret")).toMatchObject([{ name: "Margaret Hamilton" }]);
});

test("a search text is not a pattern, and a search shows a hundred applications at most", async () => {
  expect(await findApplications("100%_hop")).toMatchObject([{ name: "Grace 100%_Hopper", submittedAt: null }]);
  expect(await findApplications("Last")).toHaveLength(100);
  expect(await run("find", "%%")).toMatchObject({ code: 0, out: "", err: "There is no such application.\n" });
  expect((await run("find", "Last")).err).toContain("The newest 100 are shown");
});

test("a list has every application, newest first, or those of a status and a day", async () => {
  const all = await listApplications({ statuses: [], since: null });
  expect(all).toHaveLength(303);
  const came = all.map(({ submittedAt, invitedAt }) => submittedAt ?? invitedAt);
  expect(came).toEqual(came.toSorted().reverse());
  const submitted = { statuses: ["submitted" as const] };
  expect(await listApplications({ ...submitted, since: null })).toMatchObject([{ reference }]);
  expect(await listApplications({ ...submitted, since: new Date("2199-01-01") })).toEqual([]);
});

test("a list is lines, CSV or JSON", async () => {
  const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
  const asked = ["list", "--status", "submitted", "--since", lastWeek];
  expect((await run(...asked)).out).toMatch(new RegExp(`^${reference}\tsubmitted\tAda Byron\t61412345678\t.*\n$`));
  expect((await run(...asked, "--csv")).out).toMatch(
    /^\ufeffreference,status,name,mobile,submitted,invited,step,.*\r\n.*\n$/,
  );
  expect(JSON.parse((await run(...asked, "--json")).out)).toHaveLength(1);
});

test("today begins at midnight in BRAND_TIME_ZONE", () => {
  jest.useFakeTimers({ now: new Date("2026-12-31T13:30:00Z") });
  expect(sinceOf("today")).toEqual(new Date("2026-12-31T13:00:00Z"));
  jest.useRealTimers();
});

test("a page shows the answers beside the invitation, the consent and what happened", async () => {
  const { out } = await run("show", reference);
  expect(out).toContain(`${reference}   submitted\n`);
  expect(out).toMatch(/Full name +Ada {3}\(invitation: Augusta\)/);
  expect(out).toMatch(/Loan amount +33650\.00/);
  expect(out).toMatch(/version .*authoriseAgent, confirmLoan/);
  expect(out.indexOf("link issued")).toBeLessThan(out.indexOf("step saved"));
  expect(JSON.parse((await run("show", reference, "--json")).out)).toMatchObject({ reference });
  expect(await run("show", "AAAA-AAAA")).toMatchObject({ code: 1, err: "There is no application AAAA-AAAA.\n" });
});

test("an agent who was changed under another agent's number is found in list, page and Studio", async () => {
  const agentNumber = { mobile: "61455555555", contactNumber: "61298765432" };
  const invitation = { ...agentNumber, agencyName: "Quay", managerFirstName: "Gus", managerEmail: "gus@example.com" };
  const others = { agencyName: "Hill", managerFirstName: "Eve", managerLastName: "Lee", managerEmail: "e@example.com" };
  const changes = [{}, ...Object.entries(others).map(([name, value]) => ({ [name]: value }))];
  const found: Record<string, string> = {};
  for (const change of changes) {
    const { token, reference: one } = await invited(invitation);
    const asInvited = { agencyName: "Quay", managerFirstName: "Gus", managerEmail: "gus@example.com" };
    await post(submitStep2, { token, data: { ...agent, ...asInvited, ...change } });
    const remark = "(still the invitation's number: agent changed, call before you use it)";
    const page = (await run("show", one)).out.includes(remark);
    const [{ warning = null } = {}] = await sql(`SELECT warning FROM application_list WHERE reference = $1`, [one]);
    const [listed] = await findApplications(one);
    found[Object.keys(change).join()] = [page, warning, listed?.warning].join();
  }
  const warned = "true,agent changed,agent changed";
  const none = "false,,";
  // The invitation named no last name, so any is right.
  expect(found).toEqual({
    "": none,
    agencyName: warned,
    managerFirstName: warned,
    managerLastName: none,
    managerEmail: warned,
  });
  const unlocked = await invited({ mobile: "61466666666", agencyName: "Quay" });
  await post(submitStep2, { token: unlocked.token, data: agent });
  expect(await findApplications(unlocked.reference)).toMatchObject([{ warning: "" }]);
});

test("a page shows the basis of consent, and links and messages in the order in which they came", async () => {
  const { id, reference: shown } = await invited({ mobile: "61444444444" });
  await sql(`UPDATE applications SET "consentBasis" = 'asked by phone' WHERE id = $1`, [id]);
  const days = Array.from({ length: 8 }, (_, day) => day);
  for (const day of days) {
    await sql(
      `INSERT INTO messages ("applicationId", kind, channel, recipient, detail) VALUES ($1, 'reminder', 'sms', '1', $2)`,
      [id, `day ${day}`],
    );
    await sql(
      `INSERT INTO links ("applicationId", "createdAt", "expiresAt")
       VALUES ($1, now() + $2 * interval '1 second', now() + (40 + $2) * interval '1 day')`,
      [id, day + 1],
    );
  }
  const { out } = await run("show", shown);
  expect(out).toContain("\nConsent to messages\n  asked by phone\n");
  expect(out.match(/day \d/g)).toEqual(days.map((day) => `day ${day}`));
  const until = out.match(/until .{10}/g) ?? [];
  expect(until).toHaveLength(9);
  expect(until).toEqual(until.toSorted());
});

describe("a list of those", () => {
  const batch = "autumn";
  const references: Record<string, string> = {};
  const listed = async (...args: string[]) => {
    const { out, err } = await run("list", "--batch", batch, "--json", ...args);
    if (err) throw new Error(err);
    const byReference = Object.fromEntries(Object.entries(references).map(([name, one]) => [one, name]));
    return (JSON.parse(out) as { reference: string }[]).map((one) => byReference[one.reference]);
  };

  beforeAll(async () => {
    const people = { cleo: "61455555551", dora: "61455555552", twin: "61455555552", finn: "61455555553" };
    for (const [firstName, mobile] of Object.entries(people)) {
      const { token, id, reference: one } = await invited({ firstName, mobile });
      await sql(`UPDATE applications SET batch = $2 WHERE id = $1`, [id, batch]);
      references[firstName] = one;
      if (firstName === "cleo" || firstName === "finn") await fillIn(token);
      if (firstName === "finn")
        await post(submitFinal, { token, data: { ...consent, authoriseAgent: false, provideSelf: true } });
    }
    await run("take", references.dora ?? "", "--by", "Ines");
  });

  test.each([
    ["--opened", "cleo finn"],
    ["--unopened --sort oldest", "dora twin"],
    ["--step 4", "cleo"],
    ["--step 1 --sort name", "dora twin"],
    ["--taken-by ines", "dora"],
    ["--documents self", "finn"],
    ["--duplicate --sort oldest", "dora twin"],
    ["--sort oldest", "cleo dora finn twin"],
  ])("%s: %s", async (line, names) => {
    expect((await listed(...line.split(" "))).toSorted().join(" ")).toBe(names);
  });

  test.each([
    [["list", "--step", "5"], "--step is one of 1, 2, 3, 4."],
    [["list", "--documents", "both"], "--documents is one of agent, self."],
    [["list", "--opened", "--unopened"], "exclude each other"],
    [["find", "Ada", "--duplicate"], "--duplicate does not go with find."],
    [["show", "K7QM-4XRT", "--send"], "--send does not go with show."],
    [["note", "K7QM-4XRT"], "See below how note is called."],
  ])("%j is refused: %s", async (args, message) => {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test("a duplicate is flagged on its page, with the other reference", async () => {
    expect((await run("show", references.twin ?? "")).out).toContain(
      `${references.twin}   draft, at step 1   the same mobile as ${references.dora}`,
    );
  });
});

test("the note and the assignee of an application are shown, listed, and recorded", async () => {
  const { reference: one, id } = await invited({ firstName: "Noted" });
  expect(await run("note", one, "Called; wants to wait", "--by", "Ines")).toMatchObject({
    code: 0,
    out: `Noted on ${one}.\n`,
  });
  await run("take", one, "--by", "Ines");
  const refused = await run("take", one, "--by", "Rui");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`Ines has taken ${one}`)]);
  const page = (await run("show", one)).out;
  expect(page).toContain("taken by Ines");
  expect(page).toMatch(/noted {3}by Ines .*“Called; wants to wait”/);
  expect((await findApplications("Noted"))[0]).toMatchObject({ takenBy: "Ines", note: "Called; wants to wait" });
  expect(await sql(`SELECT "takenBy", note, step FROM application_list WHERE reference = $1`, [one])).toEqual([
    { takenBy: "Ines", note: "Called; wants to wait", step: 1 },
  ]);
  expect((await run("release", one, "--by", "Rui")).out).toContain("Ines had it");
  expect(await sql(`SELECT kind, by FROM events WHERE "applicationId" = $1 AND by <> '' ORDER BY id`, [id])).toEqual([
    { kind: "noted", by: "Ines" },
    { kind: "taken", by: "Ines" },
    { kind: "released", by: "Rui" },
  ]);
});

test("if two people take an application at once, one gets it, even after submission", async () => {
  await Promise.allSettled(["Ines", "Rui"].map((by) => takeApplication(reference, by)));
  const [found] = await findApplications(reference);
  expect(["Ines", "Rui"]).toContain(found?.takenBy);
  expect(
    await sql(
      `SELECT by FROM events WHERE kind = 'taken' AND "applicationId" =
    (SELECT id FROM applications WHERE reference = $1)`,
      [reference],
    ),
  ).toEqual([{ by: found?.takenBy }]);
});
