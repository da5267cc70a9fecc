import { answerText } from "@/lib/domain/answer-text";
import { fullName, isAskedFor, type ReceiptSection, savedAnswers, staffLabelOf } from "@/lib/domain/application";
import { readConsentDocument } from "@/lib/domain/consent";
import { centsOf, formatCents } from "@/lib/domain/money";
import { printable } from "@/lib/domain/printable-text";
import { changedFrom, warningOf } from "@/lib/domain/shown-answers";
import type { ApplicationStatus } from "@/lib/domain/statuses";
import { consentParts, deskEventParts, linkParts, messageParts } from "@/lib/server/applications/application-words";
import { isErasedSubmission } from "@/lib/server/applications/erase";
import { type PersonalData, readListed } from "@/lib/server/applications/personal-data";
import type { ListedApplication } from "@/lib/server/applications/search";
import { toTheSecond } from "@/lib/server/brand-time";
import { type ApplicationRow, formatAnswers, invitedAnswers, statusOf } from "@/lib/server/db/application-row";
import { supersededError } from "@/lib/server/delivery/check-message";
import { refusedRetries } from "@/lib/server/delivery/list-messages";
import { verifyConsents } from "@/lib/server/evidence/verify-consents";
import { messageInWords } from "@/lib/server/outbox/message-words";
import { reasonInWords } from "@/lib/server/outbox/reason-words";
import { currentSettings } from "@/lib/server/settings";
import { decisionsAfter, undoOf } from "./decisions";

type Row = Record<string, unknown>;
export type DeskApplication = Awaited<ReturnType<typeof readForDesk>>;

/** An application as the desk shows it. Stored characters that would change how a text reads are shown as what they are. */
export async function readForDesk(typedReference: string) {
  const { data, listed } = await readListed(typedReference);
  const row = data.application as unknown as ApplicationRow;
  const status = statusOf(row.status);
  const isErased = isErasedSubmission({ ...row, erasedAt: row.erasedAt ? new Date(row.erasedAt) : null });
  /** A draft that was erased, and that its applicant has not filled in again. */
  const isEmpty = !isErased && (listed?.marks.includes("erased") ?? false);
  const waiting = data.messages.filter(({ state }) => state === "waiting").map(({ number }) => Number(number));
  const refusals = await refusedRetries(waiting);
  const changes = data.events.filter(({ kind }) => kind === "status_changed");
  const undo = undoOf(changes as unknown as Parameters<typeof undoOf>[0]);
  return asShown({
    reference: data.reference,
    status,
    version: String(data.events.at(-1)?.id ?? 0),
    isErased,
    isEmpty,
    times: { updatedAt: String(row.updatedAt), erasedAt: row.erasedAt ? String(row.erasedAt) : "" },
    name: fullName(row),
    takenBy: row.takenBy,
    amount: row.loanAmount === null ? "" : amountOf(String(row.loanAmount)),
    payee: payeeOf(row),
    documents: listed?.documents ?? null,
    nextStep: isErased || isEmpty ? "Nothing. The personal data was erased." : nextStepOf(status, data, listed),
    warnings: warningsOf(listed),
    duplicateOf: listed?.duplicateOf ?? [],
    facts: factsOf(row),
    decisions: decisionsAfter(status),
    undo: undo && { ...undo, until: undo.until.toISOString(), time: toTheSecond(undo.until) },
    contact: { email: row.invitedEmail, mobile: row.invitedMobile },
    shownContact: { email: row.invitedEmail, mobile: answerText("mobile", row.invitedMobile, currentSettings().brand) },
    hasLiveLink: data.links.some(isLive),
    answers: answerRows(row),
    consents: await consentsOf(data),
    links: data.links.map((link) => linkParts(link).map((words) => words.replace(/^(issued|first opened) /, ""))),
    messages: data.messages.map((message) => {
      const { kind, channel, recipient, detail, state, error } = message;
      const [, , when] = messageParts(message);
      const found = refusals.get(Number(message.number));
      // An earlier reminder that waits today will have been sent by the day of a later one.
      const refusal = found === supersededError ? undefined : found;
      const reason = refusal ?? String(error || "");
      const words = refusal === undefined ? String(state) : "will not go out";
      return [
        messageInWords({ kind, channel, recipient, detail }),
        `${words}${reason && `: ${reasonInWords(reason)}`}`,
        when,
      ];
    }),
    timeline: data.events.map((event) => ({
      id: String(event.id),
      at: toTheSecond(event.at),
      words: deskEventParts({ ...event, reason: "" }).join(", "),
      reason: String(event.reason ?? ""),
    })),
    lastNote: lastNoteOf(data),
  });
}

function asShown<View>(view: View): View {
  return JSON.parse(JSON.stringify(view), (_, value) => (typeof value === "string" ? printable(value) : value));
}

/** With its author and time. */
function lastNoteOf({ events }: PersonalData): string {
  const note = events.findLast(({ kind }) => kind === "noted");
  // An erasure empties the text.
  return note?.reason ? `${note.reason} (${note.by}, ${toTheSecond(note.at)})` : "";
}

const amountOf = (amount: string) => formatCents(centsOf(amount), currentSettings().brand, true);
const isLive = ({ revokedAt, expiresAt }: Row) => !revokedAt && new Date(String(expiresAt)) > new Date();

function payeeOf(row: ApplicationRow): string {
  const agent = fullName({ firstName: row.managerFirstName, lastName: row.managerLastName });
  const phone = answerText("contactNumber", row.contactNumber, currentSettings().brand);
  return [row.agencyName, agent, phone, row.managerEmail].filter(Boolean).join(", ");
}

function factsOf({ createdAt, submittedAt, erasedAt, batch, consentBasis }: ApplicationRow) {
  const time = (at: Date | string | null) => (at ? toTheSecond(at) : "");
  const facts = {
    Invited: time(createdAt),
    Submitted: time(submittedAt),
    "Personal data erased": time(erasedAt),
    Batch: batch,
    "Why we may write to this person": consentBasis,
  };
  return Object.entries(facts).filter(([, value]) => value !== "");
}

/** What staff do next. */
const nextSteps: Record<Exclude<ApplicationStatus, "draft">, string> = {
  submitted: "Start the review.",
  "in-review": "An approver approves or declines it.",
  approved: "Have the agreement signed and pay the agent. Then mark it as paid.",
  declined: "Nothing. The applicant may ask why.",
  withdrawn: "Nothing.",
  paid: "Nothing.",
};

function nextStepOf(status: ApplicationStatus, { links }: PersonalData, listed?: ListedApplication): string {
  if (status !== "draft") return nextSteps[status];
  if (!links.some(isLive)) return "The applicant has no working link: send a new one.";
  if (!listed?.openedAt) return "The applicant has not opened the link yet.";
  return `The applicant continues at step ${listed.step}.`;
}

const markWords: Record<string, string> = {
  bounced:
    "Bounced: email to this person comes back. Correct the contact of a draft; after the submission, call the applicant.",
  "opted out": "Opted out: this person gets no invitations or reminders.",
  erased: "Erased: the personal data was removed.",
};

function warningsOf(listed?: ListedApplication): string[] {
  const agent =
    "the applicant changed other details of the agent, but not the phone number, which may be the old agent's. Call the applicant before you use it.";
  return [
    ...(listed?.warning ? [`${listed.warning.replace(/^a/, "A")}: ${agent}`] : []),
    ...(listed?.marks ?? []).map((mark) => markWords[mark] ?? mark),
  ];
}

function answerRows(row: ApplicationRow) {
  const style = { ...currentSettings().brand, toTheCent: true };
  const [values, invited] = [formatAnswers(row), invitedAnswers(row)];
  return savedAnswers
    .filter((name) => isAskedFor(name, row.source) || row[name])
    .map((name) => {
      const invitedValue = name in invited ? invited[name as keyof typeof invited] : "";
      return {
        label: staffLabelOf(name, row.source) || "Source",
        // An amount that was never saved is not 0.
        answer: row[name] === null ? "" : answerText(name, values[name], style),
        invited: answerText(name, invitedValue, style),
        isChanged: changedFrom(invited, name, values[name]) !== undefined,
        warning: warningOf(name, invited, values)?.text ?? "",
      };
    });
}

async function consentsOf({ application, consent_records: records }: PersonalData) {
  const checks: { problems: string[]; by: string }[] = [];
  if (records.length > 0) for await (const check of verifyConsents(String(application.id))) checks.push(check);
  return records.map((record, index) => ({
    summary: consentParts(record).join(", "),
    problems: checks[index]?.problems ?? ["the record was not found"],
    isTextOnly: checks[index]?.by === "text",
    receipt: (record.receipt ?? []) as ReceiptSection[],
    ...readConsentDocument(String(record.document), record as never),
  }));
}
