import os from "node:os";
import { Client } from "pg";
import { agent, consent } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { refused } from "@/__tests__/support/run-command";
import { submitted } from "@/__tests__/support/submitted";
import { POST as submitStep2 } from "@/app/api/v1/user/submit-step-2/route";
import { parseSince } from "@/lib/cli/shared/options";
import { searchText } from "@/lib/domain/search-text";
import { eraseApplication } from "@/lib/server/applications/erase";
import { findApplications, mobilesExpression } from "@/lib/server/applications/find";
import { takeApplication } from "@/lib/server/applications/handling";
import { listApplications } from "@/lib/server/applications/search";
import { mailSystem } from "@/lib/server/outbox/reachability";
import { suppress } from "@/lib/server/outbox/suppressions";

const { operationsUrl, sql, insertMessage, blockedBy } = freshDatabase();
const run = (...args: string[]) => callCommand("applications", args, { DATABASE_URL: operationsUrl });

let adaRef = "";
beforeAll(async () => {
  const ada = await submitted({
    firstName: "Augusta",
    lastName: "Byron",
    mobile: "61412345678",
    email: "augusta1815@mail.example",
    propertyAddress: "12-14 O’Callaghan St, Newtown NSW 2042",
    agencyName: "So\u0308derberg & Sons",
    managerLastName: "O’Shah",
    managerEmail: "priya@hill.example",
  });
  adaRef = ada.reference;
  await invited({ firstName: "Grace", lastName: "100%_Hopper", mobile: "61422222222" });
  await invited({ firstName: "Margaret", lastName: "Hamilton", mobile: "61433333333" });
  await sql(`INSERT INTO applications (reference, "firstName", "lastName", mobile)
    SELECT 'N' || lpad(n::text, 7, '0'), 'First ' || letters, 'Last ' || letters, '614' || translate(lpad(n::text, 8, '0'), '56789', '01234')
    FROM generate_series(1, 300) AS n, translate(n::text, '0123456789', 'abcdefghij') AS letters`);
});

test.each([
  ["its reference in lower case, without the hyphen", () => adaRef.toLowerCase().replace("-", "")],
  ["the mobile in its national format", () => "0412 345 678"],
  ["the end of the mobile", () => "345 678"],
  ["four digits of the mobile", () => "5678"],
  ["the mobile in several words", () => "+61 412 345 678"],
  ["the last name and the mobile", () => "byron 0412 345 678"],
  ["the end of the mobile and the agency", () => "5678 soderberg"],
  ["the mobile with an international dialling prefix", () => "0011 61 412 345 678"],
  ["the mobile in full-width digits", () => "０４１２ ３４５ ６７８"],
  ["first and last name", () => "ada  byr"],
  ["the first name on the invitation", () => " Augusta "],
  ["the applicant's email", () => "ADA@example.com"],
  ["the email on the invitation", () => "augusta1815@"],
  ["the property", () => "ocallaghan st"],
  ["the postcode of the property", () => "2042"],
  ["the house numbers of the property", () => "12-14"],
  ["the agency", () => "Soderberg"],
  ["the agency with its accent", () => "söderberg & sons"],
  ["the agent's email", () => "grace@harbour"],
  ["the agent's last name on the invitation with the applicant's last name", () => "oshah byron"],
  ["the agent's email on the invitation", () => "priya@hill"],
])("an application is found by %s", async (_, words) => {
  expect(await findApplications(words())).toMatchObject([
    {
      reference: adaRef,
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
  const samples =
    "O'Connor O’Connor O‛Brien Tuʻipulotu Söderberg So\u0308derberg ŁÓDŹ Strauß Nguyễn Ærø １２a İ´`".split(" ");
  const [row] = await sql<{ texts: string[] }>(
    `SELECT array_agg(search_text(t) ORDER BY n) AS texts
    FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n)`,
    [samples],
  );
  expect(row?.texts).toEqual(samples.map(searchText));
});

test.each([
  "",
  "  ",
  "'",
  "´ ¨",
  "567",
  "0000",
  "0001",
  "0011 61",
  "%%",
  "ada nobody",
  "hamilton 0412 345 678",
  "Ada\\",
])("nothing is found by %j", async (words) => {
  expect(await findApplications(words)).toEqual([]);
});

test("a search matches all words of the command line", async () => {
  const { code, out } = await run("find", "+61", "412", "345", "678", "--json");
  expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ reference: adaRef })]]);
});

const cameAt = 'COALESCE(a."submittedAt", a."createdAt")';
test.each([
  ["a list of applications since a day", `${cameAt} >= now()`, "applications_came_at_idx"],
  [
    "a list of what somebody has taken",
    `a."takenBy" <> '' AND lower(a."takenBy") = 'ines'`,
    "applications_taken_by_idx",
  ],
  ["a search for a name", `a."searchText" LIKE '%byron%'`, "applications_search"],
  ["a search for a phone number", `${mobilesExpression} LIKE '%412345%'`, "applications_search_mobiles"],
])("%s uses an index", async (_, condition, index) => {
  // On a small table the planner would prefer a sequential scan.
  await sql("SET enable_seqscan = off");
  const plan = await sql(`EXPLAIN (FORMAT JSON) SELECT 1 FROM applications a WHERE ${condition}`);
  await sql("RESET enable_seqscan");
  expect(JSON.stringify(plan)).toContain(index);
});

test("a name that could be a reference is found as a name", async () => {
  expect(await findApplications("margaret")).toMatchObject([{ name: "Margaret Hamilton" }]);
});

test("what the newest do not have is searched in an order that no index provides", async () => {
  const sent = jest.spyOn(Client.prototype, "query");
  expect(await findApplications("augusta byron")).toMatchObject([{ reference: adaRef }]);
  const texts = sent.mock.calls.map(([query]) => (query as unknown as { text?: string }).text ?? "");
  const searches = texts.filter((text) => text.includes("WITH found"));
  expect(searches.map((text) => text.includes("interval '0'"))).toEqual([false, true]);
});

test("a search text is not a pattern, and a search shows a hundred applications at most", async () => {
  expect(await findApplications("100%_hop")).toMatchObject([{ name: "Grace 100%_Hopper", submittedAt: null }]);
  expect(await findApplications("Last")).toHaveLength(100);
  expect(await run("find", "%%")).toMatchObject({ code: 0, out: "", err: "No applications found.\n" });
  expect((await run("find", "Last")).err).toContain("Only the newest 100 are shown");
});

test("a list shows every application, newest first, or filters by status and day", async () => {
  const all = await listApplications({ statuses: [], since: null });
  expect(all).toHaveLength(303);
  const dates = all.map(({ submittedAt, invitedAt }) => submittedAt ?? invitedAt);
  expect(dates).toEqual(dates.toSorted().reverse());
  const submitted = { statuses: ["submitted" as const] };
  expect(await listApplications({ ...submitted, since: null })).toMatchObject([{ reference: adaRef }]);
  expect(await listApplications({ ...submitted, since: new Date("2199-01-01") })).toEqual([]);
});

test("a list is printed as lines, CSV or JSON", async () => {
  const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
  const listArgs = ["list", "--status", "Submitted", "--since", lastWeek];
  const [heads = "", ada = ""] = (await run(...listArgs)).out.split("\n");
  expect(heads).toMatch(/^reference\tstatus\tname\tmobile\temail\tproperty\tamount\tmarks\t/);
  expect(ada).toMatch(new RegExp(`^${adaRef}\tsubmitted\tAda Byron\t61412345678\t[^\t]+@[^\t]+\t[^\t]+\t33650\\.00\t`));
  expect((await run(...listArgs, "--no-heading")).out).toBe(`${ada}\n`);
  const csv = (await run(...listArgs, "--csv")).out;
  expect(csv).toMatch(
    /^\ufeffreference,status,name,mobile,email,property,amount,marks,submitted,invited,step,.*\r\n.*\r\n$/,
  );
  expect(csv.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(JSON.parse((await run(...listArgs, "--json")).out)).toHaveLength(1);
  const empty = await run("list", "--status", "In review", "--csv");
  expect(empty.out).toMatch(/^\ufeffreference,status,[^\n]*\n$/);
});

test("the list marks whose email has bounced, who has opted out and who was erased", async () => {
  const { reference } = await invited({ mobile: "61444444444", email: "lost@mail.example" });
  const marks = async () =>
    (await listApplications({ statuses: [], since: null })).find((row) => row.reference === reference)?.marks;
  expect(await marks()).toEqual([]);
  await suppress("email", "lost@mail.example", "bounced 5.1.1", mailSystem);
  expect(await marks()).toEqual(["bounced"]);
  await suppress("sms", "61444444444", "replied STOP", "");
  expect(await marks()).toEqual(["opted out", "bounced"]);
  await eraseApplication(reference, "Vera");
  expect(await marks()).toEqual(["erased"]);
});

test("today begins at midnight in BRAND_TIME_ZONE", () => {
  jest.useFakeTimers({ now: new Date("2026-12-31T13:30:00Z") });
  expect(parseSince("today")).toEqual(new Date("2026-12-31T13:00:00Z"));
  jest.useRealTimers();
});

test("show prints the answers beside the invitation, the consent and the history", async () => {
  const { out } = await run("show", adaRef);
  expect(out).toContain(`${adaRef}   submitted\n`);
  expect(out).toMatch(/Full name +Ada {3}\(invitation: Augusta\)/);
  expect(out).toMatch(/Loan amount +33650\.00/);
  expect(out).toMatch(/version .*Agent authorised, Loan confirmed/);
  expect(out.indexOf("link issued")).toBeLessThan(out.indexOf("step saved"));
  expect(JSON.parse((await run("show", adaRef, "--json")).out)).toMatchObject({ reference: adaRef });
  expect(await run("show", "AAAA-AAAA")).toMatchObject({ code: 1, err: "There is no application AAAA-AAAA.\n" });
});

test("show prints the state of one moment, even if somebody takes the application while it is read", async () => {
  const { reference } = await invited({ firstName: "Moment" });
  const lock = "LOCK TABLE data_reads IN EXCLUSIVE MODE";
  const take = () => sql(`UPDATE applications SET "takenBy" = 'Rui' WHERE reference = $1`, [reference]);
  const { out } = await blockedBy(lock, [], () => run("show", reference), take);
  expect(out).toContain(`${reference}   draft, at step 1\n`);
});

// The invitation named no last name, so any last name is accepted.
test.each<[object, string, object?]>([
  [{}, ""],
  [{ agencyName: "Hill" }, "agent changed"],
  [{ managerFirstName: "Eve" }, "agent changed"],
  [{ managerLastName: "Lee" }, ""],
  [{ managerEmail: "e@example.com" }, "agent changed"],
  [{ agencyName: "Hill" }, "", { contactNumber: undefined }],
])("after the agent is changed by %j, the list, the page and Studio show the warning %j", async (...row) => {
  const [change, warning, otherInvitation] = row;
  const asInvited = { agencyName: "Quay", managerFirstName: "Gus", managerEmail: "gus@example.com" };
  const { token, reference } = await invited({ contactNumber: "61298765432", ...asInvited, ...otherInvitation });
  await post(submitStep2, { token, data: { ...agent, ...asInvited, ...change } });
  const remark = "(still the invitation's number: agent changed, call the applicant before you use it)";
  expect((await run("show", reference)).out.includes(remark)).toBe(warning !== "");
  const inStudio = "SELECT COALESCE(warning, '') AS warning FROM application_list WHERE reference = $1";
  expect(await sql(inStudio, [reference])).toEqual([{ warning }]);
  expect(await findApplications(reference)).toMatchObject([{ warning }]);
});

test("show prints the basis of consent, and links and messages in order of creation", async () => {
  const { id, reference } = await invited({ mobile: "61444444444" });
  await sql(`UPDATE applications SET "consentBasis" = 'asked by phone' WHERE id = $1`, [id]);
  const days = [0, 1, 2, 3, 4, 5, 6, 7];
  for (const day of days) await insertMessage({ applicationId: id, kind: "reminder", detail: `day ${day}` });
  await sql(
    `INSERT INTO links ("applicationId", "createdAt", "expiresAt")
     SELECT $1, now() + n * interval '1 second', now() + (40 + n) * interval '1 day' FROM generate_series(1, 8) n`,
    [id],
  );
  const { out } = await run("show", reference);
  expect(out).toContain("\nConsent to messages\n  asked by phone\n");
  expect(out.match(/day \d/g)).toEqual(days.map((day) => `day ${day}`));
  const until = out.match(/until .{10}/g) ?? [];
  expect(until).toHaveLength(9);
  expect(until).toEqual(until.toSorted());
});

describe("a filtered list", () => {
  const batch = "autumn";
  const references: Record<string, string> = {};
  const listed = async (...args: string[]) => {
    const { out, err } = await run("list", "--batch", batch, "--json", ...args);
    if (err) throw new Error(err);
    const byReference = Object.fromEntries(Object.entries(references).map(([name, reference]) => [reference, name]));
    return (JSON.parse(out) as { reference: string }[]).map((application) => byReference[application.reference]);
  };

  beforeAll(async () => {
    const people = { cleo: "61455555551", dora: "61455555552", twin: "61455555552", finn: "61455555553" };
    for (const [firstName, mobile] of Object.entries(people)) {
      const { token, reference } = await invited({ firstName, mobile }, { batch });
      references[firstName] = reference;
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
  ])("list %s shows %s", async (line, names) => {
    expect((await listed(...line.split(" "))).toSorted().join(" ")).toBe(names);
  });

  test("sorted by who took them, untaken applications come last", async () => {
    expect((await listed("--sort", "taken-by"))[0]).toBe("dora");
  });

  test("a name with an accent is sorted like one without", async () => {
    for (const [firstName, lastName] of Object.entries({ cleo: "Zhang", dora: "Łukasz", twin: "d’Arcy" }))
      await sql(`UPDATE applications SET "lastName" = $2 WHERE reference = $1`, [references[firstName], lastName]);
    expect(await listed("--status", "draft", "--sort", "name")).toEqual(["twin", "dora", "cleo"]);
  });

  test("an application whose link has expired is no duplicate", async () => {
    await invited({ firstName: "Gone", mobile: "61455555559" }, { batch: "expired", expiresInDays: 0 });
    await invited({ firstName: "Here", mobile: "61455555559" }, { batch: "expired" });
    const { out } = await run("list", "--batch", "expired", "--json");
    expect(JSON.parse(out)).toMatchObject([{ duplicateOf: [] }, { duplicateOf: [] }]);
    expect((await run("list", "--batch", "expired", "--duplicate")).out).toBe("");
  });

  test("show flags a duplicate with the other reference", async () => {
    expect((await run("show", references.twin ?? "")).out).toContain(
      `${references.twin}   draft, at step 1   the same mobile as ${references.dora}`,
    );
  });
});

test("the note on an application and who has taken it are shown, listed and recorded", async () => {
  const { reference, id } = await invited({ firstName: "Noted" });
  const noted = { code: 0, out: `Noted on ${reference}.\n` };
  expect(await run("note", reference, "Called;\nwants to wait", "--by", "Ines")).toMatchObject(noted);
  await run("take", reference, "--by", "Ines");
  const refused = await run("take", reference, "--by", "Rui");
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`Ines is handling ${reference}`)]);
  expect((await run("take", reference, "--by", "ines")).out).toBe(`You are already handling ${reference}.\n`);
  const page = (await run("show", reference)).out;
  expect(page).toContain("taken by Ines");
  expect(page).toMatch(/noted {3}by Ines .*“Called; wants to wait”/);
  expect((await findApplications("Noted"))[0]).toMatchObject({ takenBy: "Ines", note: "Called; wants to wait" });
  expect(await sql(`SELECT "takenBy", note, step FROM application_list WHERE reference = $1`, [reference])).toEqual([
    { takenBy: "Ines", note: "Called; wants to wait", step: 1 },
  ]);
  expect((await run("release", reference, "--by", "Rui")).out).toContain("Ines was handling it");
  expect(await sql(`SELECT kind, by FROM events WHERE "applicationId" = $1 AND by <> '' ORDER BY id`, [id])).toEqual([
    { kind: "noted", by: "Ines" },
    { kind: "taken", by: "Ines" },
    { kind: "released", by: "Rui" },
  ]);
});

test("if two people take an application at once, one gets it, even after submission", async () => {
  await Promise.allSettled(["Ines", "Rui"].map((by) => takeApplication(adaRef, by)));
  const [found] = await findApplications(adaRef);
  expect(["Ines", "Rui"]).toContain(found?.takenBy);
  const takers = `SELECT e.by FROM events e JOIN applications a ON a.id = "applicationId"
    WHERE kind = 'taken' AND reference = $1`;
  expect(await sql(takers, [adaRef])).toEqual([{ by: found?.takenBy }]);
});

test("where the system has no login name, nothing is recorded without --by", async () => {
  jest.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("ENOENT");
  });
  const { reference } = await invited({ firstName: "Unnamed" });
  const err = expect.stringMatching(/\n\nThis system has no login name: add --by NAME\.\n$/);
  expect(await run("take", reference)).toEqual(refused(err, 2));
  expect(await run("take", reference, "--by", "Ines")).toMatchObject({ code: 0 });
});
