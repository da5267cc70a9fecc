import type { Locator, Page } from "@playwright/test";
import { expect } from "@/__tests__/lab/promises/support/expect";
import { openDesk } from "@/__tests__/lab/promises/support/open-desk";
import { promise } from "@/__tests__/lab/promises/support/world";

const planned = 30;

/** What a page shows, as a person looks for it. Each of these waits. */
const press = (page: Page, name: string, role: "button" | "link" = "button") =>
  page.getByRole(role, { name, exact: true }).first().click();
const follow = (page: Page, name: string) => press(page, name, "link");
const type = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
const seen = (found: Locator) => found.first().waitFor();
const sees = async (page: Page, ...texts: string[]) => {
  for (const text of texts) await seen(page.getByText(text));
};

async function search(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("q") === words);
}

/** Opens the application of a person or a reference. */
async function open(page: Page, words: string): Promise<void> {
  await search(page, words);
  await page.getByRole("row").filter({ hasText: words }).getByRole("link").first().click();
  await seen(page.getByRole("heading", { level: 1, name: new RegExp(words) }));
}

async function decide(page: Page, name: string, button: string, status: string): Promise<void> {
  await open(page, name);
  await press(page, button);
  await sees(page, "What the applicant gets");
  await press(page, button);
  await seen(page.getByRole("definition").getByText(status, { exact: true }));
}

promise(88, async (world) => {
  const { casey, robin, signIn, untilMailed, mobileOf, referenceOf, undecided, failOne } = await openDesk(world);
  const done: string[] = [];
  const failed: string[] = [];
  const task = async (words: string, perform: () => Promise<unknown>) => {
    await perform().then(
      () => done.push(words),
      (error: Error) => failed.push(`${words}: ${error.message.slice(0, 300)}`),
    );
  };

  await task("sign in", () => signIn(casey, "Casey"));
  await task("see what waits and nobody has taken", async () => {
    await follow(casey, "Received");
    await casey.waitForURL(/status=submitted/);
    await casey.getByText("Filters", { exact: true }).click();
    await type(casey, "Taken by", "nobody");
    await press(casey, "Show");
    await sees(casey, "Status: Received, Taken by: nobody", "Sunil Rao");
  });
  await task("find a landlord by half a name", async () => {
    await search(casey, "kov");
    await sees(casey, "Daniel Kovac");
  });
  await task("find the number that a caller gives", async () => {
    await search(casey, mobileOf("Leo Tran").replace(/^61(...)(...)/, "0$1 $2 "));
    await sees(casey, "Leo Tran");
  });
  await task("find a reference that is read out", async () => {
    await search(casey, referenceOf("Leo Tran").replace("-", "").toLowerCase());
    await sees(casey, "Leo Tran");
  });
  await task("take an application", async () => {
    await open(casey, "Sunil Rao");
    await press(casey, "Take");
    await sees(casey, "You have taken this application.");
  });
  await task("say how much goes to whom, and what to check before", () =>
    sees(casey, "$26,000.00", "Bright & Sons", "Call the applicant before you use it."),
  );
  await task("read what was agreed to, and whether it is unchanged", async () => {
    await sees(casey, "Checked: this is what was agreed to, unchanged.");
    await casey.getByText("The text and the receipt").click();
    await sees(casey, "I authorise my agent");
  });
  await task("note a call", async () => {
    await type(casey, "Note", "The agent's number is right.");
    await press(casey, "Add a note");
    await sees(casey, "The note was added.", "Last note");
  });
  await task("start a review, and take it back", async () => {
    await press(casey, "Start review");
    await sees(casey, "The review has started.");
    await press(casey, "Undo");
    await sees(casey, "Undone: the status is Received again.");
  });
  await task("give an application back", async () => {
    await press(casey, "Release");
    await sees(casey, "Nobody is handling this.");
  });
  await task("say why a message failed", async () => {
    await follow(casey, "Messages");
    await sees(casey, "Invitation by email to no.such.mailbox@example.com", "There is no such mailbox.");
  });
  await task("correct an address that bounced", async () => {
    await follow(casey, referenceOf("Tom Ferris"));
    await type(casey, "Email address", "tom.ferris@example.com");
    await press(casey, "Correct contact");
    await sees(casey, "An invitation will be sent by email.");
    await untilMailed("tom.ferris@example.com");
    await follow(casey, "Messages");
    await sees(casey, "There is nothing to retry. The contact has been corrected.");
  });
  await task("retry a message", async () => {
    const number = await failOne("nora.blake@example.com");
    await follow(casey, "Messages");
    await press(casey, `Retry message ${number}`);
    await sees(casey, "It will be tried again within a minute.");
    await untilMailed("nora.blake@example.com", 2);
  });
  await task("send a new link to somebody who has lost it", async () => {
    await open(casey, "Mei Lin");
    await press(casey, "Send a new link");
    await sees(casey, "A new link will be sent by email. The old links no longer work.");
    await untilMailed("mei.lin@example.com", 2);
  });
  await task("invite somebody by email, after reading the email", async () => {
    await follow(casey, "Invite");
    await type(casey, "First name", "Ivy");
    await type(casey, "Mobile", "0491 570 156");
    await type(casey, "Email address", "ivy@example.com");
    await press(casey, "Preview the invitation");
    await sees(casey, "It goes to ivy@example.com by email.", "Hello Ivy,");
    await press(casey, "Send the invitation");
    await sees(casey, "Invited by email");
    await untilMailed("ivy@example.com");
  });
  await task("invite somebody by a link to pass on", async () => {
    await follow(casey, "Invite another person");
    await type(casey, "Mobile", "0491 570 157");
    await casey.getByText("Only show me the link").click();
    await press(casey, "Preview the invitation");
    await press(casey, "Create the link");
    await sees(casey, "The link is ready", "token=");
  });
  await task("see that somebody has an open application before inviting them", async () => {
    await follow(casey, "Invite another person");
    await type(casey, "Mobile", mobileOf("Mei Lin"));
    await press(casey, "Preview the invitation");
    await sees(casey, "This mobile has an open application:");
    await follow(casey, referenceOf("Mei Lin"));
    await seen(casey.getByRole("heading", { name: /Mei Lin/ }));
  });
  await task("stop messages to somebody who rang", async () => {
    await follow(casey, "Messages");
    await type(casey, "Address or number to stop", "mei.lin@example.com");
    await type(casey, "Reason to stop", "asked on the phone");
    await press(casey, "Add the opt-out");
    await seen(casey.getByRole("status").filter({ hasText: /stop|no more|opted/i }));
  });
  await task("tell somebody whether they are stopped", async () => {
    await type(casey, "Address or number to look up", "mei.lin@example.com");
    await press(casey, "Look up");
    await seen(casey.getByRole("status").filter({ hasText: "asked on the phone" }));
  });

  await signIn(robin, "Robin");
  await task("list what is in review, the highest amount first", async () => {
    await follow(robin, "In review");
    await robin.waitForURL(/status=in-review/);
    await press(robin, "Sort by amount", "link");
    await seen(robin.locator('th[aria-sort="descending"]').filter({ hasText: "Amount" }));
    await sees(robin, "Grace O'Neill");
  });
  await task("decide ten", async () => {
    for (const [index, name] of undecided.entries())
      await (index % 3 === 2 ? decide(robin, name, "Decline", "Declined") : decide(robin, name, "Approve", "Approved"));
  });
  await task("undo one of them", async () => {
    await open(robin, undecided[0] ?? "");
    await press(robin, "Undo");
    await seen(robin.getByRole("definition").getByText("Received", { exact: true }));
  });
  await task("mark as paid", () => decide(robin, "Daniel Kovac", "Mark as paid", "Paid"));
  await task("withdraw as the landlord asks", () => decide(robin, "Amelia Hart", "Withdraw", "Withdrawn"));
  await task("answer 'what do you hold on me'", async () => {
    await open(robin, "Amelia Hart");
    const downloading = robin.waitForEvent("download");
    await press(robin, "Export");
    expect((await downloading).suggestedFilename() === `${referenceOf("Amelia Hart")}.html`, "another file");
  });
  await task("end the links of a lost phone", async () => {
    await press(robin, "Revoke links");
    await seen(robin.getByText(/links? (was|were) revoked\./));
  });
  await task("let somebody be written to again", async () => {
    await follow(robin, "Messages");
    await type(robin, "Address or number to allow again", "mei.lin@example.com");
    await type(robin, "Reason to allow it again", "asked for it again");
    await press(robin, "Remove the opt-out");
    await seen(robin.getByRole("status").filter({ hasText: /again|removed/i }));
  });
  await task("erase a person who asks for it", async () => {
    await open(robin, "Leo Tran");
    await press(robin, "Erase");
    await sees(robin, "It cannot be undone.");
    await press(robin, "Erase");
    await sees(robin, "Erased: the personal data was removed.");
  });
  await task("tell the boss what the week looked like", async () => {
    await follow(robin, "Figures");
    await seen(robin.getByRole("region", { name: "Weeks" }).getByRole("row", { name: /^\d{4}-\d\d-\d\d( \d+){11}$/ }));
    await seen(robin.getByRole("region", { name: "Amounts" }).getByRole("row", { name: /^Approved/ }));
  });

  expect(failed.length === 0, `${done.length} of ${planned} tasks; ${failed.join("; ")}`);
  expect(done.length === planned, `${done.length} tasks instead of ${planned}`);
  return `a clerk's and an approver's week at the desk, by what its pages say: ${done.length} of ${planned} tasks`;
});
