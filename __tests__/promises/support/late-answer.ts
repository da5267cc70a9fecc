import { invited } from "@/__tests__/support/invited";
import { newDevice } from "@/__tests__/support/processes/browser";
import { same } from "./expect";
import type { World } from "./world";

/** In a browser: an answer delayed by two seconds must not overwrite what was typed meanwhile. */
export async function lateAnswer({ app, browser }: World): Promise<string> {
  const { token } = await invited({
    firstName: "Ada",
    lastName: "Byron",
    email: "ada@example.com",
    propertyAddress: "1",
  });
  const device = await newDevice(await browser());
  try {
    const page = await device.newPage();
    await page.goto(`${app.url}/?token=${token}&source=ba`);
    await page.goto(`${app.url}/home`);
    await page.route("**/submit-step-1", async (route) => {
      const answer = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await route.fulfill({ response: answer });
    });
    const name = page.getByLabel("Full name", { exact: true });
    await name.fill("Older");
    await page.getByRole("button", { name: "Next" }).click();
    await page.waitForTimeout(500);
    // If the form is disabled during a save, nothing can be typed and nothing overwritten.
    const typed = await name.fill("Newer", { timeout: 500 }).then(
      () => "Newer",
      () => "Older",
    );
    await page.getByLabel("Agency name", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await name.waitFor();
    same(await name.inputValue(), typed, "the screen after a late answer");
    return `a late answer left '${typed}' on the screen`;
  } finally {
    await device.close();
  }
}
