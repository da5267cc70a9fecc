import { freshDatabase } from "@/__tests__/support/database";
import { declareChoice } from "@/__tests__/support/declared-choice";
import { invited } from "@/__tests__/support/invited";
import { unreachableProviders } from "@/__tests__/support/providers";
import { submitted } from "@/__tests__/support/submitted";
import { requireInvitation } from "@/lib/cli/invitations/invitation-list";
import { createInvitations, preferredContactOf } from "@/lib/server/invitations/create-invitations";
import { batchSchema, invitationFields } from "@/lib/server/invitations/invitation";
import { findByRowHash, findExistingLinks, openApplications } from "@/lib/server/invitations/issued-already";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { suppress } from "@/lib/server/outbox/suppressions";
import { currentSettings } from "@/lib/server/settings";

Object.assign(process.env, { ...unreachableProviders, APP_URL: "https://apply.example" });

const { sql } = freshDatabase();

const [mobile, email] = ["61412345678", "ada@landlord.example"];
function problemsOf(fields: Record<string, unknown>) {
  try {
    requireInvitation({ mobile, ...fields });
  } catch (error) {
    return (error as Error).message.split("; ");
  }
}

test("batch and consent basis are stored in one spelling, whichever way a program writes an accent", () => {
  expect(batchSchema.parse("Zoe\u0308")).toBe("Zo\u00eb");
  expect(batchSchema.parse("e\u0301".repeat(80))).toHaveLength(80);
  expect(requireInvitation({ mobile, "consent-basis": "Zoe\u0308" })).toMatchObject({ consentBasis: "Zo\u00eb" });
});

test("an invitation is read as people and spreadsheets write it", () => {
  const typed = { mobile: "0412 345 678", "agent-mobile": "(02) 9876 5432", "first-name": " Ada " };
  const terms = { source: "ba", "expires-days": "7", "consent-basis": " their agent " };
  const quote = ["1,999.00", "$2450", ""];
  expect(requireInvitation({ ...typed, email, quote, ...terms })).toEqual({
    answers: { mobile, contactNumber: "61298765432", firstName: "Ada", email, invoiceAmount: "2450" },
    quotes: ["1999.00", "2450"],
    source: "ba",
    expiresDays: 7,
    consentBasis: "their agent",
  });
});

test("a field that is not given is left out, and a link works for 30 days", () => {
  expect(requireInvitation({ mobile, email: "", quote: [] })).toEqual({
    answers: { mobile },
    quotes: [],
    source: "",
    expiresDays: 30,
    consentBasis: "",
  });
});

const noPhone = "must be a phone number, such as 61412345678, +61 412 345 678 or 0412 345 678";
test.each<[Record<string, unknown>, string]>([
  [{ mobile: "" }, "mobile is required"],
  [{ mobile: "  " }, "mobile is required"],
  [{ mobile: "61" }, `mobile ${noPhone}`],
  [{ "agent-mobile": "12" }, `agent-mobile ${noPhone}`],
  [{ email: "ada" }, "email is not an email address"],
  [{ quote: ["1e3"] }, "quote must be an amount in dollars, such as 2450.00"],
  [{ "first-name": "a".repeat(2001) }, expect.stringMatching(/^first-name cannot be used: \w.+/) as unknown as string],
  [{ source: "<b>" }, "source must be letters, digits, - or _ (40 at most)"],
  ...["0", "366", "1.5", "1000", "x1", "7 days", ""].map((days): [Record<string, unknown>, string] => [
    { "expires-days": days },
    "expires-days must be a whole number from 1 to 365",
  ]),
  [{ nickname: "Ada" }, 'Unrecognized key: "nickname"'],
  [{ "consent-basis": "a".repeat(201) }, "consent-basis must be 200 characters or fewer"],
])("an invitation with %j is refused: %s", (fields, message) => {
  expect(problemsOf(fields)).toEqual([message]);
});

describe("an answer that is a choice", () => {
  declareChoice();
  test("a wrong choice is refused, and the message names the options", () => {
    expect(problemsOf({ "agency-name": "Harbour".repeat(20) })).toEqual(["agency-name must be one of harbour, quay"]);
  });
});

test.each([
  ...[{ "expires-days": "1" }, { "expires-days": "365" }, { source: "a".repeat(40) }, { source: "" }],
  { "consent-basis": `${"a".repeat(200)} ` },
])("an invitation with %j is accepted", (fields) => {
  expect(problemsOf(fields)).toBeUndefined();
});

test("only a quote may be given several times", () => {
  expect(invitationFields.filter(({ multiple }) => multiple).map(({ flag }) => flag)).toEqual(["quote"]);
  const flags = invitationFields.map(({ flag }) => flag);
  expect(flags).toEqual(expect.arrayContaining(["mobile", "agent-mobile", "source", "expires-days", "consent-basis"]));
});

test("an invitation stores its values, its batch and who issued it, and without send it enqueues no message", async () => {
  const invitation = requireInvitation({ mobile, email, quote: ["2450"], source: "ia" });
  expect(preferredContactOf(invitation)).toEqual({ channel: "email", recipient: email });
  expect(preferredContactOf(requireInvitation({ mobile }))).toEqual({ channel: "sms", recipient: mobile });
  expect(preferredContactOf({ ...invitation, answers: {} })).toBeNull();
  const positions: number[][] = [];
  const [issued] = await createInvitations([invitation], {
    by: "Ines",
    batch: "spring",
    beforeCommit: (_, rowPositions) => void positions.push(rowPositions),
  });
  expect(positions).toEqual([[0]]);
  expect(issued?.link).toBe(`https://apply.example/?token=${issued?.token}&source=ia`);
  const [row] = await sql("SELECT * FROM applications WHERE reference = $1", [issued?.reference]);
  expect(row).toMatchObject({
    mobile,
    invitedMobile: mobile,
    invoiceAmount: "2450.00",
    invitedInvoiceAmount: "2450.00",
    source: "ia",
    batch: "spring",
    rowHash: null,
    firstName: "",
    invitedFirstName: "",
    quotes: [2450],
    consentBasis: "",
  });
  const events = `SELECT kind, by, "linkId" IS NOT NULL AS linked FROM events WHERE "applicationId" = $1`;
  expect(await sql(events, [row?.id])).toEqual([{ kind: "link_issued", by: "Ines", linked: true }]);
  expect(await sql(`SELECT FROM messages WHERE "applicationId" = $1`, [row?.id])).toEqual([]);
});

test("a mobile with an open application is found, but not one whose link has ended or that has submitted", async () => {
  const [open, ended, done] = ["61400000001", "61400000002", "61400000003"] as const;
  const { reference } = await invited({ mobile: open });
  await revokeLinks((await invited({ mobile: ended })).reference, "Ines");
  await submitted({ mobile: done });
  expect(await openApplications([open, ended, done, "61400000004"])).toEqual(new Map([[open, reference]]));
});

test("findExistingLinks finds the links of a file that the database knows", async () => {
  const { token } = await invited();
  const knownLink = `https://apply.example/?token=${token}&source=ba`;
  const links = [knownLink, `https://apply.example/?token=${"x".repeat(43)}`, "https://apply.example/", "no link", ""];
  expect(await findExistingLinks(links)).toEqual(new Set([knownLink]));
});

test("a row of a list is found by its hash, in its batch or in any", async () => {
  const invitation = requireInvitation({ mobile });
  const [issued] = await createInvitations([invitation], { batch: "may", rowHashes: ["hash of a row"] });
  const found = new Map([["hash of a row", { reference: issued?.reference, batch: "may" }]]);
  expect(await findByRowHash("", ["hash of a row", "another"])).toEqual(found);
  expect(await findByRowHash("may", ["hash of a row"])).toEqual(found);
  expect(await findByRowHash("june", ["hash of a row"])).toEqual(new Map());
  expect(await createInvitations([invitation], { batch: "may", rowHashes: ["hash of a row"] })).toEqual([]);
});

const lastMessage = `SELECT kind, channel, recipient, detail, by FROM messages WHERE "applicationId" = $1
  ORDER BY number DESC LIMIT 1`;
const messages = (id: string) => sql(lastMessage, [id]);
const terms = { expiresDays: 7, by: "Ines", send: true };

test("a new link is sent in the message that fits the status: an invitation, a confirmation or a status email", async () => {
  const common = { channel: "email", recipient: email, by: "Ines" };
  const draft = await invited({ email, mobile });
  const { link, expiresAt } = await reissueLink(draft.reference, terms);
  expect(link).toContain("https://apply.example/?token=");
  expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(7);
  expect(await messages(draft.id)).toEqual([{ ...common, kind: "invitation", detail: "" }]);
  const done = await submitted({ email, mobile });
  await reissueLink(done.reference, terms);
  expect(await messages(done.id)).toEqual([{ ...common, kind: "confirmation", detail: "" }]);
  await sql("UPDATE applications SET status = 'in_review' WHERE id = $1", [done.id]);
  await reissueLink(done.reference, terms);
  expect(await messages(done.id)).toEqual([{ ...common, kind: "status", detail: "in-review" }]);
});

test("a second new link after the submission replaces the email that waits with the first", async () => {
  const { reference } = await submitted({ email: "twice@landlord.example" });
  await Promise.all([reissueLink(reference, terms), reissueLink(reference, terms)]);
  const [last, ...earlier] = await sql(
    "SELECT state, error FROM messages WHERE recipient = 'twice@landlord.example' ORDER BY number DESC",
  );
  expect(last).toEqual({ state: "waiting", error: "" });
  expect(new Set(earlier.map(({ error }) => error))).toEqual(new Set(["superseded by another email"]));
});

test("an applicant who has opted out still gets the confirmation with a new link", async () => {
  const done = await submitted({ email: "stopped@landlord.example" });
  await suppress("email", "stopped@landlord.example", "", "");
  await reissueLink(done.reference, terms);
  expect(await messages(done.id)).toMatchObject([{ kind: "confirmation", recipient: "stopped@landlord.example" }]);
});

test("a new link that cannot be sent is not issued, and the old one keeps working", async () => {
  const live = (id: string) => sql(`SELECT FROM links WHERE "applicationId" = $1 AND "revokedAt" IS NULL`, [id]);
  const nobody = await invited();
  await expect(reissueLink(nobody.reference, terms)).rejects.toThrow(
    `No message can reach the person invited as ${nobody.reference}. Without --send, the link is only printed.`,
  );
  const done = await submitted({ mobile });
  await expect(reissueLink(done.reference, terms)).rejects.toThrow(
    `${done.reference} has been submitted, and messages about submitted applications go by email only`,
  );
  for (const { id } of [nobody, done]) expect(await live(id)).toHaveLength(1);
  expect(currentSettings().sending.sms).toBeDefined();
});
