import { expect } from "@playwright/test";
import { type Invitation, invite, sql, test } from "@/__tests__/support/journey";
import { reportFigure } from "@/__tests__/support/size";

const opened = async ({ reference }: Invitation) =>
  (
    await sql(
      `SELECT count("openedAt")::int + (SELECT count(*)::int FROM events e WHERE e."applicationId" = a.id AND kind = 'link_opened') AS records
     FROM applications a JOIN links l ON l."applicationId" = a.id WHERE reference = $1 GROUP BY a.id`,
      [reference],
    )
  )?.records;

/** Programs that show a preview of a link, as they name themselves. */
const previews = [
  "WhatsApp/2.23.20.0",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Twitterbot/1.0",
  "TelegramBot (like TwitterBot)",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Mozilla/5.0 (compatible; Google-PageRenderer)",
  "Viber/20.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
];

test("previews and HEAD count nothing as opened, and the page on the screen does", async ({ page, playwright }) => {
  const invitation = await invite("--mobile", "61412345678");
  for (const userAgent of previews) {
    const program = await playwright.request.newContext({ userAgent });
    for (const method of ["HEAD", "GET"]) {
      const answer = await program.fetch(invitation.link, { method });
      expect([answer.status(), new URL(answer.url()).search]).toEqual([200, ""]);
    }
    await program.dispose();
  }
  expect(await opened(invitation)).toBe(0);
  await page.goto(invitation.link);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  await expect.poll(() => opened(invitation)).toBe(2);
  reportFigure(81, `${previews.length} link previews, by GET and HEAD: nothing counted as opened`);
});
