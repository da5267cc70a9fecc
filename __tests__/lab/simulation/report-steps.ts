import { createHmac } from "node:crypto";
import fc from "fast-check";
import { complaint, hardBounce } from "@/__tests__/support/bounces";
import { post } from "@/__tests__/support/post";
import { POST as stopMessages } from "@/app/api/messages/stop/route";
import { POST as smsReport } from "@/app/api/webhooks/sms/route";
import { applyReport } from "@/lib/server/channels/bounces/apply-report";
import { expectNoError, hasPersons, holdCall as hold, personNumber, runAction, selectPerson, step } from "./command";
import { invite } from "./invite-steps";
import type { Person } from "./model";
import type { Contact } from "./providers";
import { round } from "./worker-steps";
import type { World } from "./world";

const which = fc.nat({ max: 6 });

const stopsByCode = step(
  "stop by link",
  { personNumber, hold },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber);
    const { code, address } = person.stopCodes.at(-1) ?? {};
    const send = () =>
      stopMessages(
        new Request(`http://localhost/api/messages/stop?code=${code}`, {
          method: "POST",
          body: "List-Unsubscribe=One-Click",
          headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": "203.0.113.9" },
        }),
      );
    await runAction(
      world,
      person,
      { kind: "stop", address },
      { name: "stop by link", hold: values.hold, identity: "app" },
      send,
      (operation, answer) => {
        expectNoError(world, operation);
        if (answer && answer.status !== 200 && !operation.isDisturbed) world.fail(`A stop returned ${answer.status}.`);
        // After an erasure, the product can no longer match the code to a person.
        return answer?.status === 200 && (person.actions.some(({ kind }) => kind === "erase") ? "perhaps" : true);
      },
    );
  },
  (world, values) => hasPersons(world) && selectPerson(world, values.personNumber).stopCodes.length > 0,
);

/** A signed call, as the SMS provider makes it. */
function signed(raw: string) {
  const signature = createHmac("sha256", "sixteen-letters-of-it").update(raw).digest("hex");
  return post(smsReport, undefined, { raw, headers: { "x-signature": `sha256=${signature}` } });
}

const texts = (world: World) => world.providers.contacts.filter(({ channel, isTaken }) => channel === "sms" && isTaken);

const reports = step(
  "report on an SMS",
  { which, state: fc.constantFrom("delivered", "failed"), hold },
  async (world, values) => {
    const all = texts(world);
    const { providerId } = all[values.which % all.length] as (typeof all)[number];
    const work = () => signed(JSON.stringify({ id: providerId, state: values.state }));
    await world.run({ name: "report", holdBefore: values.hold }, work, (operation, answer) => {
      expectNoError(world, operation);
      if (answer && answer.status !== 200 && !operation.isDisturbed) world.fail(`A report returned ${answer.status}.`);
    });
  },
  (world) => texts(world).length > 0,
);

export async function replyStop(world: World, person: Person, hold: number): Promise<void> {
  const raw = JSON.stringify({ from: `+${person.mobile}`, text: "Stop" });
  await runAction(
    world,
    person,
    { kind: "stop", address: person.mobile },
    { name: "reply STOP", hold, identity: "app" },
    () => signed(raw),
    (operation, answer) => {
      expectNoError(world, operation);
      return answer?.status === 200;
    },
  );
}

const repliesStop = step(
  "reply STOP",
  { personNumber, hold },
  (world, values) => replyStop(world, selectPerson(world, values.personNumber), values.hold),
  hasPersons,
);

/** Emails of an application that a provider has taken, newest first. A report may come at once or after months. */
const emails = (world: World) =>
  world.providers.contacts
    .filter(({ channel, isTaken, message }) => {
      const fact = world.facts.messages.find(({ id }) => id === message);
      return channel === "email" && isTaken && world.personOf(fact?.application ?? null);
    })
    .reverse();

type ReportKind = "bounced" | "complaint";
const kind = fc.constantFrom<ReportKind>("bounced", "complaint");

/** A report that the worker reads in the bounce mailbox. */
async function report(
  world: World,
  { message, to }: Contact,
  reportKind: ReportKind,
  holdBefore: number,
): Promise<void> {
  const fact = world.facts.messages.find(({ id }) => id === message);
  const person = world.personOf(fact?.application ?? null);
  if (!person) return;
  const email = reportKind === "bounced" ? hardBounce(message) : complaint(message);
  await runAction(
    world,
    person,
    { kind: reportKind === "bounced" ? "bounce" : "stop", address: to },
    { name: `report (${reportKind})`, hold: holdBefore, identity: "app" },
    () => applyReport(email),
    (operation, outcome) => {
      expectNoError(world, operation);
      // A repeated report changes nothing, and the first report may still be under way.
      return outcome === reportKind || "perhaps";
    },
  );
}

const emailReports = step(
  "report on an email",
  { which: fc.nat({ max: 12 }), kind, hold },
  async (world, values) => {
    const all = emails(world);
    await report(world, all[values.which % all.length] as Contact, values.kind, values.hold);
  },
  (world) => emails(world).length > 0,
);

/** An invitation that has just been sent bounces, or the person complains about it, so none of its reminders may follow. */
const reportsOnInvitation = step("report on a new invitation", { kind, hold }, async (world, values) => {
  await invite(world, { hasEmail: true, sends: true, hold: 0 });
  await world.check();
  await round(world, { worker: 0, channel: "email", most: 10, behaviour: "answers", hold: 0, holdAttempts: 0 });
  await world.check();
  const invited = world.model.persons.at(-1)?.email;
  const sent = emails(world).find(({ to }) => to === invited);
  if (sent) await report(world, sent, values.kind, values.hold);
});

export const reportSteps = [stopsByCode, repliesStop, reports, emailReports, emailReports, reportsOnInvitation];
