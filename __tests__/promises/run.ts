import { requireBuild } from "@/__tests__/support/processes/build";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { circumstances, type Part, writeMeasurements } from "@/__tests__/support/processes/measurements";
import { amounts } from "./amounts";
import { awayAndBack } from "./bad-days";
import { badLinks } from "./bad-links";
import { bareBrowsers } from "./bare-browsers";
import { besideSaves } from "./beside-saves";
import { bodies } from "./bodies";
import { crashes } from "./crashes";
import { crowds } from "./crowds";
import { dates } from "./dates";
import { deploymentPage } from "./deployment-page";
import { drafts } from "./drafts";
import { droppedAnswers } from "./dropped-answers";
import { dumps } from "./dumps";
import { engines } from "./engines";
import { erasure } from "./erasure";
import { freshLinks } from "./fresh-links";
import { fullDiskInvitations } from "./full-disk-invitations";
import { guesses } from "./guesses";
import { headers } from "./headers";
import { identities } from "./identities";
import { lameDuck } from "./lame-duck";
import { logs } from "./logs";
import { meanwhiles } from "./meanwhile";
import { messagesDue } from "./messages-due";
import { numbers } from "./numbers";
import { oneAmounts } from "./one-amount";
import { plantedCookies } from "./planted-cookies";
import { policy } from "./policy";
import { processes } from "./processes";
import { proxyLogs } from "./proxy-logs";
import { reading } from "./reading";
import { records } from "./records";
import { reminding } from "./reminders";
import { rollingRestarts } from "./rolling-restarts";
import { sameLists } from "./same-list";
import { saves } from "./saves";
import { sending } from "./sending";
import { sentCsv } from "./sent-csv";
import { sentLinks } from "./sent-links";
import { servers } from "./servers";
import { stalled } from "./stalled-posts";
import { strangers } from "./strangers";
import { submissions } from "./submissions";
import { asMarkdown, type Kept } from "./support/table";
import { createWorld, type Promised } from "./support/world";
import { tabs } from "./tabs";
import { templates } from "./templates";
import { tokenInBrowser } from "./token-in-browser";
import { tokens } from "./tokens";
import { unreadiness } from "./unready";
import { webhooks } from "./webhooks";
import { whatWasRead } from "./what-was-read";
import { worstInputs } from "./worst-input";
import { wrong } from "./wrong-links";
import { wrongStarts } from "./wrong-starts";

/**
 * Runs the promises with the given numbers; those of messages (`messages`), which take minutes of their own; or all others.
 * A full run of either that passes writes its table into docs/measurements.md.
 */
const every: Promised[] = [
  submissions,
  saves,
  crashes,
  processes,
  dumps,
  drafts,
  droppedAnswers,
  tokens,
  guesses,
  strangers,
  tokenInBrowser,
  logs,
  headers,
  policy,
  bodies,
  amounts,
  dates,
  awayAndBack,
  numbers,
  crowds,
  whatWasRead,
  records,
  oneAmounts,
  identities,
  erasure,
  servers,
  badLinks,
  tabs,
  plantedCookies,
  bareBrowsers,
  stalled,
  wrong,
  fullDiskInvitations,
  reading,
  freshLinks,
  engines,
  lameDuck,
  unreadiness,
  wrongStarts,
  worstInputs,
  rollingRestarts,
  proxyLogs,
  sameLists,
  deploymentPage,
  besideSaves,
  meanwhiles,
  messagesDue,
  reminding,
  sending,
  sentCsv,
  sentLinks,
  templates,
  webhooks,
]
  .flat()
  .sort((one, other) => Number(one.isLast ?? false) - Number(other.isLast ?? false) || one.number - other.number);

const isOfMessages = ({ number }: Promised) => number >= 41 && number <= 54;
/** What looks at what a run has left belongs to each. */
const isOther = (one: Promised) => !isOfMessages(one) || one.isLast === true;

/** What to run, and the part of the document that it is the whole of. */
function chosenBy(given: string[]): { chosen: Promised[]; part?: Part } {
  if (given.length === 0) return { chosen: every.filter(isOther), part: "promises" };
  if (given[0] === "messages") return { chosen: every.filter(isOfMessages), part: "messages" };
  return { chosen: every.filter(({ number }) => given.map(Number).includes(number)) };
}

async function main(given: string[]): Promise<void> {
  const begun = performance.now();
  const { chosen, part } = chosenBy(given);
  requireBuild();
  const world = await createWorld();
  endWhenCutOff(world.end);
  const kept: Kept[] = [];
  try {
    for (const { number, prove } of chosen) {
      const line = await prove(world).then(
        (measured) => {
          kept.push({ number, measured });
          return `ok      ${measured}`;
        },
        (error: Error) => `FAILED  ${error.name === "Broken" ? error.message : error.stack}`,
      );
      console.log(`${String(number).padStart(2)}  ${line}`);
    }
    if (part && kept.length === chosen.length) {
      const where = await circumstances(await world.browser(), world.postgres);
      writeMeasurements(part, `${where}\n\n${asMarkdown(kept)}`);
    }
  } finally {
    await world.end();
  }
  const failed = chosen.length - kept.length;
  console.log(`\n${Math.round((performance.now() - begun) / 1000)} s`);
  console.log(`${kept.length} passed, ${failed} failed`);
  process.exit(failed === 0 && kept.length > 0 ? 0 : 1);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
