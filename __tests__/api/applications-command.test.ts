import { agent, consent } from "@/__tests__/support/answers";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { runCommand } from "@/__tests__/support/run-command";
import { POST as submitStep2 } from "@/app/api/v1/user/submit-step-2/route";
import { sinceOf } from "@/lib/cli/options";
import { findApplications, listApplications } from "@/lib/server/applications/search";

const { operationsUrl, sql } = freshDatabase();
const run = (...args: string[]) => runCommand("applications", args, { DATABASE_URL: operationsUrl });

let reference = "";
beforeAll(async () => {
  const ada = await invited({ firstName: "Augusta", lastName: "Byron", mobile: "61412345678" });
  await fillIn(ada.token);
  await post(submitFinal, { token: ada.token, data: consent });
  reference = ada.reference;
  await invited({ firstName: "Grace", lastName: "100%_Hopper", mobile: "61422222222" });
  await invited({ firstName: "Margaret", lastName: "Hamilton", mobile: "61433333333" });
  await sql(`INSERT INTO applications (reference, "firstName", "lastName", mobile)
    SELECT 'N' || lpad(n::text, 7, '0'), 'First ' || letters, 'Last ' || letters, '614' || translate(lpad(n::text, 8, '0'), '56789', '01234')
    FROM generate_series(1, 60000) AS n, translate(n::text, '0123456789', 'abcdefghij') AS letters`);
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
])("among 60,000, an application is found by %s", async (_, words) => {
  expect(await findApplications(words())).toEqual([
    {
      reference,
      status: "submitted",
      name: "Ada Byron",
      mobile: "61412345678",
      submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      invitedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      finding: "",
    },
  ]);
});

test.each(["", "  ", "567", "%%", "ada hopper", "Ada\\"])("nothing is found by %j", async (words) => {
  expect(await findApplications(words)).toEqual([]);
});

test("words of the command line are looked for together", async () => {
  const { code, out } = await run("find", "+61", "412", "345", "678", "--json");
  expect([code, JSON.parse(out)]).toEqual([0, [expect.objectContaining({ reference })]]);
});

test("an index finds who came since a day, so that millions take no longer", async () => {
  await sql("ANALYZE");
  const plan = await sql(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM applications a WHERE COALESCE(a."submittedAt", a."createdAt") >= now()`,
  );
  expect(JSON.stringify(plan)).toContain("applications_came_at_idx");
});

test("a name that could be a reference is found as a name", async () => {
  expect(await findApplications("margaret")).toMatchObject([{ name: "Margaret Hamilton" }]);
});

test("what is looked for is no pattern, and no more than a hundred are shown", async () => {
  expect(await findApplications("100%_hop")).toMatchObject([{ name: "Grace 100%_Hopper", submittedAt: null }]);
  expect(await findApplications("Last")).toHaveLength(100);
  expect(await run("find", "%%")).toMatchObject({ code: 0, out: "", err: "There is no such application.\n" });
  expect((await run("find", "Last")).err).toContain("The newest 100 are shown");
});

test("a list holds everybody, newest first, or those of a status and a day", async () => {
  const all = await listApplications({ statuses: [], since: null });
  expect(all).toHaveLength(60_003);
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
    /^\ufeffreference,status,name,mobile,submitted,invited,finding\r\n.*\n$/,
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
  expect(out).toContain(`${reference}   submitted`);
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
  const changes = [
    {},
    { agencyName: "Hill" },
    { managerFirstName: "Eve" },
    { managerLastName: "Lee" },
    { managerEmail: "e@example.com" },
  ];
  const found: Record<string, string> = {};
  for (const change of changes) {
    const { token, reference: one } = await invited(invitation);
    const asInvited = { agencyName: "Quay", managerFirstName: "Gus", managerEmail: "gus@example.com" };
    await post(submitStep2, { token, data: { ...agent, ...asInvited, ...change } });
    const remark = "(still the invitation's number: agent changed, call before you use it)";
    const page = (await run("show", one)).out.includes(remark);
    const [{ finding = null } = {}] = await sql(`SELECT finding FROM application_list WHERE reference = $1`, [one]);
    const [listed] = await findApplications(one);
    found[Object.keys(change).join()] = [page, finding, listed?.finding].join();
  }
  const doubt = "true,agent changed,agent changed";
  const none = "false,,";
  // The invitation named no last name, so any is right.
  expect(found).toEqual({
    "": none,
    agencyName: doubt,
    managerFirstName: doubt,
    managerLastName: none,
    managerEmail: doubt,
  });
  const unlocked = await invited({ mobile: "61466666666", agencyName: "Quay" });
  await post(submitStep2, { token: unlocked.token, data: agent });
  expect(await findApplications(unlocked.reference)).toMatchObject([{ finding: "" }]);
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
