import { lender } from "@/__tests__/support/lender";
import { unknown } from "@/__tests__/support/outcomes";
import { checkMessage } from "@/lib/server/delivery/check-message";
import type { Claimed } from "@/lib/server/delivery/claim";
import type { MessageContext } from "@/lib/server/outbox/message-context";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const production = { ...lender, DATABASE_URL: "postgresql://app@db/lender", APP_URL: "https://apply.example" };
beforeEach(() => replaceSettings(readSettings(production)));
/** A Wednesday, noon in Sydney. */
const noon = new Date("2026-11-18T01:00:00Z");

const message: Claimed = {
  id: "8b0f9f6e-6d0f-4e0e-9a39-4a1f1a4c8a11",
  number: 7n,
  applicationId: "0c7f7d64-9a4c-4c8e-9df2-0f0c3a5b7d22",
  kind: "reminder",
  channel: "email",
  recipient: "ada@landlord.example",
  detail: "",
  attempts: 1,
  dueAt: noon,
  createdAt: noon,
  isUncertain: false,
  attemptId: 1n,
  firstDueAt: noon,
  leaseEnds: Number.POSITIVE_INFINITY,
  leaseEndsAt: Number.POSITIVE_INFINITY,
};
const context: MessageContext = {
  reference: "K7QM-4XRT",
  status: "draft",
  source: "ba",
  name: "Ada",
  submittedAt: null,
  amount: null,
  liveUntil: new Date("2026-12-18T01:00:00Z"),
  isRevoked: false,
  isToInvited: true,
  isStopped: false,
  isDead: false,
  hasOtherInvitation: false,
  hasLaterReport: false,
};

const approval: Partial<Claimed> = { kind: "status", detail: "approved" };
const restored: Partial<MessageContext> = { status: "approved", hasLaterReport: true };

test.each<[what: string, reason: string, message: Partial<Claimed>, context: Partial<MessageContext>]>([
  ["a reminder to somebody who has submitted", "submitted", {}, { status: "submitted" }],
  ["a reminder after an opt-out", "stopped", {}, { isStopped: true }],
  ["a reminder whose links were revoked", "revoked", {}, { liveUntil: null, isRevoked: true }],
  ["a reminder whose links have expired", "expired", {}, { liveUntil: null }],
  ["a reminder beside another", "superseded by another invitation or reminder", {}, { hasOtherInvitation: true }],
  ["an invitation to somebody who has submitted", "submitted", { kind: "invitation" }, { status: "approved" }],
  ["an invitation after an opt-out", "stopped", { kind: "invitation" }, { isStopped: true }],
  ["a fresh link after an opt-out", "stopped", { kind: "fresh-link" }, { isStopped: true, liveUntil: null }],
  ["the email of an earlier status", "the status has changed", approval, { status: "declined" }],
  ["the email of a status that was restored", "a later email reports this status", approval, restored],
  ["a reminder to a contact that was corrected", "the contact was corrected", {}, { isToInvited: false }],
  ["a fresh link to a revoked application", "revoked", { kind: "fresh-link" }, { isRevoked: true, liveUntil: null }],
  ["a message to somebody who was erased", "erased", { kind: "status", recipient: "" }, {}],
])("%s is cancelled: %s", (_, reason, messageChanges, contextChanges) => {
  const outcome = checkMessage({ ...message, ...messageChanges }, { ...context, ...contextChanges }, noon);
  expect(outcome).toEqual({ state: "cancelled", error: reason });
});

test.each<[what: string, message: Partial<Claimed>, context: Partial<MessageContext>]>([
  ["a reminder to an applicant who has not submitted", {}, {}],
  ["a confirmation after an opt-out", { kind: "confirmation" }, { status: "submitted", isStopped: true }],
  ["a fresh link to somebody who has submitted", { kind: "fresh-link" }, { status: "submitted" }],
  ["the email of the current status", approval, { status: "approved" }],
  ["the email of a status to an address that was not invited", approval, { status: "approved", isToInvited: false }],
  ["a webhook about somebody who was erased", { channel: "webhook", recipient: "" }, {}],
])("%s is sent", (_, messageChanges, contextChanges) => {
  const changed = { ...message, ...messageChanges };
  expect(checkMessage(changed, { ...context, ...contextChanges }, noon)).toBeNull();
});

test("a message that belongs to no application is sent", () => {
  for (const kind of ["test", "invitation"] as const) expect(checkMessage({ ...message, kind }, null, noon)).toBeNull();
});

const night = new Date("2026-11-18T11:00:00Z");
const morning = new Date("2026-11-18T22:00:00Z");

test("at night a reminder and an SMS in place of a bounced email wait for business hours; an invitation does not", () => {
  const later = { state: "later", isUncounted: true, until: morning, error: "outside business hours" };
  expect(checkMessage(message, context, night)).toEqual(later);
  const text: Claimed = { ...message, kind: "invitation", channel: "sms", detail: "instead of an email" };
  expect(checkMessage(text, context, night)).toEqual(later);
  expect(checkMessage(text, { ...context, hasOtherInvitation: true }, noon)).toBeNull();
  expect(checkMessage({ ...message, kind: "invitation" }, context, night)).toBeNull();
});

test("at night an SMS invitation that is more than an hour late waits for business hours; an email does not", () => {
  const checkAt = (firstDue: string, channel: "sms" | "email", now = night) =>
    checkMessage({ ...message, kind: "invitation", channel, firstDueAt: new Date(firstDue) }, context, now);
  expect(checkAt("2026-11-18T10:00:00Z", "sms")).toBeNull();
  expect(checkAt("2026-11-18T09:59:00Z", "sms")).toMatchObject({ until: morning });
  expect(checkAt("2026-11-18T09:59:00Z", "email")).toBeNull();
  expect(checkAt("2026-11-16T09:59:00Z", "sms", noon)).toBeNull();
});

test("an SMS whose worker was killed may have been sent, so it is unknown; an email is sent again", () => {
  const uncertain: Claimed = { ...message, kind: "invitation", isUncertain: true };
  expect(checkMessage({ ...uncertain, channel: "sms" }, context, noon)).toEqual(unknown("the worker ended"));
  expect(checkMessage(uncertain, context, noon)).toBeNull();
});

test.each([
  ["", "ada@landlord.example", false],
  ["bob@landlord.example", "ada@landlord.example", false],
  ["bob@landlord.example, Ada@Landlord.example", "ada@landlord.example", true],
  ["+61412345678", "61412345678", true],
  ["0412 345 678", "61412345678", true],
  ["*", "61412345678", true],
])(
  "while APP_URL is this machine and SANDBOX_RECIPIENTS=%j, a message to %s is sent: %s",
  (SANDBOX_RECIPIENTS, recipient, isSent) => {
    replaceSettings(readSettings({ SANDBOX_RECIPIENTS }));
    const outcome = checkMessage({ ...message, recipient }, context, noon);
    expect(outcome).toEqual(isSent ? null : { state: "cancelled", error: "not in SANDBOX_RECIPIENTS" });
  },
);
