import { randomBytes } from "node:crypto";
import type { ConsentAnswers, Receipt } from "@/lib/domain/application";
import { consentDocument } from "@/lib/domain/consent";
import { answerSteps, steps } from "@/lib/domain/journey";
import * as phones from "@/lib/domain/phone-library";
import { receiptSections } from "@/lib/domain/receipt-text";
import type { Outdated, Reviewed, ShownConsent } from "@/lib/domain/reviewed";
import { shownAnswers } from "@/lib/domain/shown-answers";
import { check } from "@/lib/schemas/check";
import { consentSchema, reviewedSchema } from "@/lib/schemas/consent";
import { type ApplicationRow, formatAnswers, statusOf, versionOf } from "@/lib/server/db/application-row";
import { type Db, prisma } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";
import { recordHashOf } from "@/lib/server/evidence/record-hash";
import { type VerifiedCall, validated } from "@/lib/server/http/call";
import { CallError, invalidAnswers } from "@/lib/server/http/call-error";
import { count } from "@/lib/server/http/log";
import { enqueue, messagesForSubmission } from "@/lib/server/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";
import type { Application } from "@/prisma/generated/client";
import { requireLiveLink, saveAll, schemaOf, withLockedAnswers } from "./save-step";
import { toView } from "./to-view";

function receipt({ reference, status, submittedAt }: Pick<ApplicationRow, keyof Receipt>): Receipt {
  return { reference, status: statusOf(status), submittedAt: new Date(submittedAt ?? 0).toISOString() };
}

/**
 * The action of submit-final: submits the stored answers with this call's consent. Refuses (409) if the caller's screen
 * showed other answers or another consent text. A retry gets the first receipt.
 */
export async function submitFinal(call: VerifiedCall): Promise<Receipt> {
  if (call.row.status !== "draft") return receipt(call.row);
  requireComplete(call.row);
  const consent = validated(consentSchema, call.data);
  const reviewed = reviewedIn(call.data);
  return submitOnce(call, consent, reviewed, async () => {});
}

export async function submitWhole(call: VerifiedCall): Promise<Receipt> {
  if (call.row.status !== "draft") return receipt(call.row);
  const data = withLockedAnswers(call.data, call.row);
  const [first, second, third] = [check(schemaOf(1), data), check(schemaOf(2), data), check(schemaOf(3), data)];
  const consent = check(consentSchema, data);
  if (first.errors || second.errors || third.errors || consent.errors) {
    const errors = { ...first.errors, ...second.errors, ...third.errors, ...consent.errors };
    throw invalidAnswers(errors, (first.errors && 1) || (second.errors && 2) || (third.errors && 3));
  }
  const answers = { 1: first.data, 2: second.data, 3: third.data };
  return submitOnce(call, consent.data, null, (tx) => saveAll(tx, call, answers));
}

/**
 * Of several concurrent submissions, one sets the status and writes the consent record, the event and the messages. The others
 * wait for its row lock, change nothing and return the same receipt.
 */
async function submitOnce(
  call: VerifiedCall,
  consent: ConsentAnswers,
  reviewed: Reviewed | null,
  saveFirst: (tx: Db) => Promise<void>,
): Promise<Receipt> {
  const { id } = call.row;
  const { row: submitted, isFirst } = await prisma().$transaction(async (tx) => {
    const now = await transactionTime(tx);
    await saveFirst(tx);
    // Locks and reads the row, after any concurrent save, erasure or other submission.
    const [row] = await tx.application.updateManyAndReturn({
      where: { id, status: "draft" },
      data: { status: "submitted", submittedAt: now, updatedAt: now },
    });
    await requireLiveLink(tx, call, now);
    if (!row) return { row: await tx.application.findUniqueOrThrow({ where: { id } }), isFirst: false };
    const shown = consentInForce();
    // The update is rolled back if this throws, so the response shows the draft.
    if (reviewed) requireReviewed({ ...row, status: "draft", submittedAt: null }, reviewed, shown);
    await recordConsent(tx, row, call, shown, { ...consent, reviewed: reviewed !== null, consentedAt: now });
    await tx.event.create({
      data: { applicationId: id, linkId: call.linkId, kind: "submitted", address: call.address },
    });
    await enqueue(tx, id, messagesForSubmission(row));
    return { row, isFirst: true };
  });
  if (isFirst) count(({ submissions }) => submissions.inc());
  return receipt(submitted);
}

async function recordConsent(
  tx: Db,
  row: Application,
  { address, userAgent, linkId }: VerifiedCall,
  shown: ShownConsent,
  agreed: ConsentAnswers & { reviewed: boolean; consentedAt: Date },
): Promise<void> {
  const answers = formatAnswers(row);
  const evidence = {
    version: shown.version,
    document: consentDocument(shown),
    documentHash: shown.hash,
    answers,
    answersHash: versionOf(answers),
    receipt: receiptSections({ ...answers, ...agreed }, { ...currentSettings().brand, phones }),
    ...agreed,
    address,
    userAgent,
    linkId,
    salt: randomBytes(32).toString("hex"),
  };
  const recordHash = recordHashOf({ ...evidence, reference: row.reference });
  await tx.consentRecord.create({ data: { ...evidence, applicationId: row.id, recordHash } });
}

/** Throws 422 for the first step that was not saved, as when all answers come from the invitation, or is not valid. */
function requireComplete(row: ApplicationRow): void {
  // Checks the answers as the form shows them: a view shows an amount that was never given as 0, the form as empty.
  const view = toView(row);
  const stored = shownAnswers(view, row.source);
  for (const step of answerSteps) {
    const { errors } = check(schemaOf(step), stored);
    if (errors || !view.savedSteps.includes(step)) {
      const { title } = steps[step];
      throw new CallError(422, `Step ${step} (${title}) isn't complete`, { errors, data: { step } });
    }
  }
}

/** What the call says that its screen showed; null if it says nothing. */
function reviewedIn(data: unknown): Reviewed | null {
  const { reviewed } = data as { reviewed?: unknown };
  if (reviewed === undefined) return null;
  const { data: read, errors } = check(reviewedSchema, reviewed);
  if (errors) throw invalidAnswers({ reviewed: "must be { answers, consent }, or left out" });
  return read;
}

const sentences: Record<string, string> = {
  answers: "Your application has changed since you read it",
  consent: "The consent text has changed since you read it",
};

/** Refuses (409) a submission if its screen showed outdated answers or an outdated text. The error has the current ones. */
function requireReviewed(row: Application, reviewed: Reviewed, inForce: ShownConsent): void {
  const application = toView({ ...row, consentRecord: null });
  const current: Reviewed = { answers: application.version, consent: inForce.hash };
  const changed = (["answers", "consent"] as const).filter((name) => reviewed[name] !== current[name]);
  if (changed.length === 0) return;
  const data: Outdated = { changed, application, ...(changed.includes("consent") ? { consent: inForce } : {}) };
  const message = sentences[changed.join()] ?? "Your application and the consent text have changed since you read them";
  throw new CallError(409, message, { data });
}
