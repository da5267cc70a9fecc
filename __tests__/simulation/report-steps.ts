import { createHmac } from "node:crypto";
import fc from "fast-check";
import { complaint, hardBounce } from "@/__tests__/support/bounces";
import { post } from "@/__tests__/support/post";
import { POST as stopMessages } from "@/app/api/messages/stop/route";
import { POST as smsReport } from "@/app/api/webhooks/sms/route";
import { applyReport } from "@/lib/server/messages/bounces/apply-report";
import { act, chosen, expectNoError, hasPersons, holdCall as hold, step, who } from "./command";
import type { World } from "./world";

const which = fc.nat({ max: 6 });

const stopsByCode = step(
  "stop by link",
  { who, hold },
  async (world, given) => {
    const person = chosen(world, given.who);
    const { code, address } = person.stopCodes.at(-1) ?? {};
    const send = () =>
      stopMessages(
        new Request(`http://localhost/api/messages/stop?code=${code}`, {
          method: "POST",
          body: "List-Unsubscribe=One-Click",
          headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": "203.0.113.9" },
        }),
      );
    await act(
      world,
      person,
      { kind: "stop", address },
      { name: "stop by link", hold: given.hold, identity: "app" },
      send,
      (operation, answer) => {
        expectNoError(world, operation);
        if (answer && answer.status !== 200 && !operation.isDisturbed) world.fail(`A stop: ${answer.status}`);
        // After an erasure nobody knows whose code it was.
        return answer?.status === 200 && (person.deeds.some(({ kind }) => kind === "erase") ? "perhaps" : true);
      },
    );
  },
  (world, given) => hasPersons(world) && chosen(world, given.who).stopCodes.length > 0,
);

/** A call of the SMS provider. */
function signed(raw: string) {
  const signature = createHmac("sha256", "sixteen-letters-of-it").update(raw).digest("hex");
  return post(smsReport, undefined, { raw, headers: { "x-signature": `sha256=${signature}` } });
}

const texts = (world: World) => world.providers.contacts.filter(({ channel, isTaken }) => channel === "sms" && isTaken);

const reports = step(
  "report of an SMS",
  { which, state: fc.constantFrom("delivered", "failed"), hold },
  async (world, given) => {
    const all = texts(world);
    const { providerId } = all[given.which % all.length] as (typeof all)[number];
    const work = () => signed(JSON.stringify({ id: providerId, state: given.state }));
    await world.run({ name: "report", holdBefore: given.hold }, work, (operation, answer) => {
      expectNoError(world, operation);
      if (answer && answer.status !== 200 && !operation.isDisturbed) world.fail(`A report: ${answer.status}`);
    });
  },
  (world) => texts(world).length > 0,
);

const repliesStop = step(
  "reply STOP",
  { who, hold },
  async (world, given) => {
    const person = chosen(world, given.who);
    const raw = JSON.stringify({ from: `+${person.mobile}`, text: "Stop" });
    await act(
      world,
      person,
      { kind: "stop", address: person.mobile },
      { name: "reply STOP", hold: given.hold, identity: "app" },
      () => signed(raw),
      (operation, answer) => {
        expectNoError(world, operation);
        return answer?.status === 200;
      },
    );
  },
  hasPersons,
);

/** Emails about an application that a provider has taken, the last first: a report may come at once, or after months. */
const emails = (world: World) =>
  world.providers.contacts
    .filter(({ channel, isTaken, message }) => {
      const fact = world.facts.messages.find(({ id }) => id === message);
      return channel === "email" && isTaken && world.personOf(fact?.application ?? null);
    })
    .reverse();

/** What the worker reads in the mailbox that bounces come to. */
const emailReports = step(
  "report of an email",
  { which: fc.nat({ max: 12 }), about: fc.constantFrom("bounced", "complaint"), hold },
  async (world, given) => {
    const all = emails(world);
    const { message, to } = all[given.which % all.length] as (typeof all)[number];
    const fact = world.facts.messages.find(({ id }) => id === message);
    const person = world.personOf(fact?.application ?? null);
    if (!person) return;
    const email = given.about === "bounced" ? hardBounce(message) : complaint(message);
    await act(
      world,
      person,
      { kind: given.about === "bounced" ? "bounce" : "stop", address: to },
      { name: `report (${given.about})`, hold: given.hold, identity: "app" },
      () => applyReport(email),
      (operation, outcome) => {
        expectNoError(world, operation);
        // Nothing is new where the same was reported before, perhaps by a report that is under way.
        return outcome === given.about || "perhaps";
      },
    );
  },
  (world) => emails(world).length > 0,
);

export const reportSteps = [stopsByCode, repliesStop, reports, emailReports, emailReports];
