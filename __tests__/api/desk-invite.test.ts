import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { submitted } from "@/__tests__/support/submitted";
import { withSettings } from "@/__tests__/support/with-settings";
import { type InviteRequest, invite } from "@/lib/server/desk/invite";
import { addOptOut } from "@/lib/server/invitations/opt-outs";
import { currentSettings } from "@/lib/server/settings";

const { sql } = freshDatabase();
const by = "casey.clerk@lender.example";
const email = { url: "smtp://127.0.0.1:1", from: undefined, replyTo: undefined, dkim: undefined };
const sending = () => ({ sending: { ...currentSettings().sending, email }, SANDBOX_RECIPIENTS: ["*"] });

const ask = (fields: Record<string, string>, more: Partial<InviteRequest> = {}) =>
  withSettings(sending(), () => invite({ fields, isSent: true, isSecond: false, confirmed: "", ...more }, by));

/** Previews, then confirms what was previewed. */
async function confirm(fields: Record<string, string>, more: Partial<InviteRequest> = {}) {
  const first = await ask(fields, more);
  if (!("preview" in first)) throw new Error("There was no preview");
  return ask(fields, { ...more, confirmed: first.preview.digest });
}

test("a preview says what goes to whom by which channel, and creates nothing", async () => {
  const seen = await ask({ mobile: "0491 570 156", email: "ada@example.com", "first-name": "Ada" });
  expect(seen).toMatchObject({
    preview: {
      open: "",
      notes: expect.arrayContaining([
        "It goes to ada@example.com by email.",
        "Reminders follow after 3, 7, 14 days, until the person submits the application.",
      ]),
      text: expect.stringContaining("Hello Ada,"),
    },
  });
  expect(await sql("SELECT FROM applications")).toEqual([]);
});

test("what was previewed is sent, under the person's name", async () => {
  const fields = { mobile: "61491570156", email: "ada@example.com", quote: "2450.00; 1999.00", source: "ba" };
  const issued = await confirm(fields);
  expect(issued).toMatchObject({ reference: expect.stringMatching(/^\w{4}-\w{4}$/), link: "", sentBy: "email" });
  expect(
    await sql(`SELECT "invitedInvoiceAmount"::float AS amount, by FROM applications a JOIN events e
    ON e."applicationId" = a.id WHERE kind = 'link_issued'`),
  ).toEqual([{ amount: 2450, by }]);
  expect(await sql("SELECT recipient FROM messages WHERE kind = 'invitation'")).toEqual([
    { recipient: "ada@example.com" },
  ]);
});

test("a change after the preview is previewed again and not sent", async () => {
  const first = await ask({ mobile: "61491570157", email: "old@example.com" });
  const confirmed = "preview" in first ? first.preview.digest : "";
  expect(await ask({ mobile: "61491570157", email: "eve@example.com" }, { confirmed })).toMatchObject({
    warning: expect.stringContaining("Nothing was sent"),
    preview: { notes: expect.arrayContaining(["It goes to eve@example.com by email."]) },
  });
});

test("a mobile with an open application is shown with it and needs a tick", async () => {
  const fields = { mobile: "61491570158", email: "bo@example.com" };
  const first = await confirm(fields);
  const reference = "reference" in first ? first.reference : "";
  expect(await confirm(fields)).toMatchObject({
    preview: { open: reference },
    warning: expect.stringContaining("tick"),
  });
  expect(await confirm(fields, { isSecond: true })).toMatchObject({ sentBy: "email" });
});

test("a mobile with an application in hand is shown with it and its status", async () => {
  const { reference } = await submitted();
  const [found] = await sql("SELECT mobile FROM applications WHERE reference = $1", [reference]);
  expect(await ask({ mobile: found?.mobile, email: "di@example.com" })).toMatchObject({
    preview: { open: "", others: [{ reference, status: "Received" }] },
  });
});

test("without sending, the link is shown once and no message is queued", async () => {
  const shown = await confirm({ mobile: "61491570159", email: "cy@example.com" }, { isSent: false });
  expect(shown).toMatchObject({ link: expect.stringMatching(/\?token=[\w-]{43}/), sentBy: "" });
  expect(await sql("SELECT FROM messages WHERE recipient = 'cy@example.com'")).toEqual([]);
});

test("each wrong field is named, and a person who has opted out is", async () => {
  expect(await ask({ mobile: "12", email: "no", quote: "x" })).toEqual({
    problems: {
      mobile: expect.stringContaining("must be a phone number"),
      email: "is not an email address",
      quote: expect.stringContaining("must be an amount"),
    },
  });
  await addOptOut({ channel: "email", recipient: "di@example.com" }, { by, command: "test" });
  expect(await ask({ mobile: "61491570160", email: "di@example.com" })).toMatchObject({
    preview: {
      notes: expect.arrayContaining(["Nothing will go out: this person has opted out, or cannot be reached."]),
    },
  });
});

test("with DESK_URL, a command that is done names the application's page at the desk", async () => {
  const printed = await callCommand("invite", ["--mobile", "61491570161"], { DESK_URL: "https://desk.example" });
  expect(printed.out).toMatch(/Desk {9}https:\/\/desk\.example\/desk\/\w{4}-\w{4}$/m);
});

test("without APP_URL nobody is invited, because the links would lead to this machine", async () => {
  const request = { fields: { mobile: "61491570156" }, isSent: false, isSecond: false, confirmed: "" };
  await withSettings({ isAppUrlAssumed: true }, () =>
    expect(invite(request, by)).rejects.toThrow("Set APP_URL to the address for applicants"),
  );
});
