import { setTimeout as sleep } from "node:timers/promises";
import { Broken } from "@/__tests__/promises/support/expect";
import { consent } from "@/__tests__/support/answers";
import { type Answer, type Call, call, steps } from "@/__tests__/support/processes/call";
import { several } from "@/__tests__/support/processes/several";
import type { Landlord } from "./kept";

const atOnce = 8;
const pause = 100;
/** For all journeys of an act together. */
const patience = 90_000;

export interface Journeys {
  calls: number;
  submitted: number;
  /** Why calls had to be repeated: a status, or that there was no answer. */
  refusals: string[];
  isOver: boolean;
}

/** Everybody fills in and submits, as the form does it: a call that is not answered, or with 502 to 504, is repeated. */
export async function travel(
  app: { url: string },
  landlords: Landlord[],
  during: (journeys: Journeys) => Promise<void>,
): Promise<Journeys> {
  const journeys: Journeys = { calls: 0, submitted: 0, refusals: [], isOver: false };
  const deadline = Date.now() + patience;

  async function acknowledged(landlord: Landlord, name: Call, data: object): Promise<Answer> {
    for (; Date.now() < deadline; await sleep(200)) {
      const answer = await call(app, name, { token: landlord.token, data }).catch(() => null);
      journeys.calls += 1;
      if (answer?.status === 200) return answer;
      journeys.refusals.push(String(answer?.status ?? "no answer"));
      if (answer && answer.status < 502) throw new Broken(`${landlord.reference}: ${name} got ${answer.text}`);
    }
    throw new Broken(`${landlord.reference}: ${name} had no 200 in time`);
  }

  async function one(landlord: Landlord): Promise<void> {
    await acknowledged(landlord, "verify-token", {});
    for (const { call: name, answers } of steps) {
      const data = ownAnswers(landlord, answers);
      await acknowledged(landlord, name, data);
      Object.assign(landlord.saved, data);
      await sleep(pause);
    }
    const { body } = await acknowledged(landlord, "submit-final", consent);
    landlord.status = String(body.data?.status);
    landlord.submittedAt = String(body.data?.submittedAt);
    journeys.submitted += 1;
  }

  // A journey that fails does not end the others: nothing may be under way any more when the database is looked at.
  const journey = (n: number) => one(landlords[n] as Landlord).catch((error: Error) => error);
  const all = several(landlords.length, atOnce, journey).finally(() => {
    journeys.isOver = true;
  });
  const [around] = await Promise.allSettled([during(journeys), all]);
  if (around.status === "rejected") throw around.reason;
  for (const outcome of await all) if (outcome) throw outcome;
  return journeys;
}

/** Nobody's answers are anybody else's, so that none can stand in for another. */
function ownAnswers({ mobile, reference }: Landlord, answers: object): Record<string, string> {
  const own = Object.entries(answers).map(([name, value]) => {
    if (name === "mobile") return [name, mobile];
    if (name === "managerEmail" || name === "email") return [name, `${reference.toLowerCase()}@mail.example`];
    return [name, /Name$|Address$/.test(name) ? `${value} ${reference}` : value];
  });
  return Object.fromEntries(own);
}
