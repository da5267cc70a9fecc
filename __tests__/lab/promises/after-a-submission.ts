import { readFileSync, writeFileSync } from "node:fs";
import { same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { byStep } from "@/__tests__/support/answers";
import { submit } from "@/__tests__/support/fill-in";
import { invited } from "@/__tests__/support/invited";
import { type App, freePort } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { expectConfirmation, openReview, reviews } from "@/__tests__/support/submission";
import { startTcpServer } from "@/__tests__/support/tcp-server";
import { answerSteps } from "@/lib/domain/journey";

const buildId = ".next/BUILD_ID";

/** Starts the app as another build: Next compares only this id, and then opens each page as a new document. */
async function startNewBuild({ start }: World, port: number): Promise<void> {
  const own = readFileSync(buildId, "utf8");
  try {
    writeFileSync(buildId, "another-build");
    await start({ port });
  } finally {
    writeFileSync(buildId, own);
  }
}

async function startBadGateway({ after }: World, port: number): Promise<void> {
  const answer =
    "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<h1>502 Bad Gateway</h1>";
  const { stop } = await startTcpServer((client) => client.once("data", () => client.end(answer)), port);
  after(stop);
}

/** What stands at the app's address once the submission is answered. */
const fates: Record<string, (world: World, port: number) => Promise<void>> = {
  killed: async () => {},
  "restarted with a new build": startNewBuild,
  "behind a proxy that answers 502": startBadGateway,
};

async function submitAndLose(world: World, app: App, n: number): Promise<void> {
  const review = reviews[n % reviews.length];
  const [fate = "", replace = async () => {}] = Object.entries(fates)[n % 3] ?? [];
  if (!review) return;
  const { token } = await invited();
  for (const step of answerSteps)
    same((await call(app, `submit-step-${step}`, { token, data: byStep[step] })).status, 200, "status of a save");
  const page = await (await world.device()).newPage();
  await openReview(page, `${app.url}/?token=${token}&source=ba`, review);
  await page.route("**/submit-final", async (route) => {
    const response = await route.fetch();
    await app.end("SIGKILL");
    await replace(world, app.port);
    await route.fulfill({ response });
  });
  await submit(page);
  await expectConfirmation(page, replace === startNewBuild).catch((error) => {
    throw new Error(`${review.name}, ${fate}: ${error}`);
  });
}

promise(80, async (world) => {
  const times = 30;
  for (let n = 0; n < times; n += 1) {
    await submitAndLose(world, await world.start({ port: await freePort() }), n);
    await world.undoAll();
  }
  return `a server killed right after a submission, restarted with a new build or replaced by 502, at both reviews, with and without storage: ${times} of ${times} read that it was submitted, also after Back and the receipt link`;
});
