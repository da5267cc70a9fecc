import "server-only";
import type { ConsentAnswers } from "@/lib/domain/application";
import { consentDocument } from "@/lib/domain/consent-document";
import { type ApplicationStatus, answerSteps } from "@/lib/domain/journey";
import type { Reviewed } from "@/lib/domain/reviewed";
import { check, type Schema } from "@/lib/schemas/check";
import { consentSchema } from "@/lib/schemas/consent";
import { answersJson, answersVersion } from "@/lib/server/db/answers-version";
import { statusOf } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/prisma";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";
import { type HashedRecord, recordHashOf } from "@/lib/server/evidence/record-hash";
import { type Visit, validated } from "@/lib/server/http/call";
import { invalidAnswers } from "@/lib/server/http/call-error";
import { count } from "@/lib/server/http/log";
import { contactColumns, dueOnSubmission } from "@/lib/server/messages/outbox/due";
import { dueSql } from "@/lib/server/messages/outbox/due-sql";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";
import { findById } from "./find-by-id";
import { lockDraft, requireLiveLink } from "./lock-draft";
import { outdated, reviewedIn } from "./reviewed";
import { assignments, requireComplete, schemaOf, withLockedAnswers } from "./stored-steps";

interface Receipt {
  reference: string;
  status: ApplicationStatus;
  submittedAt: string;
}

const contacts = Prisma.raw(contactColumns.map((name) => `a."${name}"`).join(", "));

type Submission = Pick<Visit["row"], "reference" | "submittedAt" | "status">;

/** As the statement that submits has found and set it. */
interface Submitted extends Submission {
  id: string;
  submittedAt: Date;
  answers: Record<string, string>;
  hash: string;
}

function receipt({ reference, submittedAt, status }: Submission): Receipt {
  return { reference, status: statusOf(status), submittedAt: submittedAt?.toISOString() ?? "" };
}

/**
 * The action of submit-final: submits the stored answers with this call's consent, unless they or the consent text are
 * not what the caller's screen has shown (409). A retry gets the first receipt.
 */
export async function submitFinal(visit: Visit): Promise<Receipt> {
  if (visit.row.status !== "draft") return receipt(visit.row);
  requireComplete(visit.row);
  return submitOnce(visit, validated(consentSchema, visit.data), Prisma.empty, reviewedIn(visit.data));
}

/** The action of user/submit: saves every step and submits, in one statement. */
export async function submitWhole(visit: Visit): Promise<Receipt> {
  if (visit.row.status !== "draft") return receipt(visit.row);
  const data = withLockedAnswers(visit.data, visit.row);
  const schemas = [...answerSteps.map((step): Schema => schemaOf(step)), consentSchema];
  const errors = Object.assign({}, ...schemas.map((schema) => check(schema, data).errors));
  if (Object.keys(errors).length > 0) throw invalidAnswers(errors);
  const answers = answerSteps.map((step) => assignments(step, validated(schemaOf(step), data)));
  return submitOnce(visit, validated(consentSchema, data), Prisma.sql`${Prisma.join(answers)},`, null);
}

/**
 * In one transaction: of any number of concurrent submissions, one updates the row and writes the consent record, the event
 * and the messages. The others update nothing and read the same receipt.
 */
async function submitOnce(
  visit: Visit,
  consent: ConsentAnswers,
  answers: Prisma.Sql,
  reviewed: Reviewed | null,
): Promise<Receipt> {
  const { row, address, userAgent } = visit;
  const { databaseTimeoutMs } = currentSettings();
  const shown = consentInForce();
  const submitted = await prisma().$transaction(
    async (transaction) => {
      const found = await update(transaction, visit, answers, reviewed && { ...reviewed, inForce: shown.hash });
      if (!found) return undefined;
      const { version, hash: documentHash } = shown;
      const evidence = { version, document: consentDocument(shown), documentHash, answersHash: found.hash };
      const circumstances = {
        reviewed: reviewed !== null,
        ...consent,
        consentedAt: found.submittedAt,
        address,
        userAgent,
      };
      await insertRecord(transaction, found, { ...evidence, ...circumstances });
      return found;
    },
    { maxWait: databaseTimeoutMs, timeout: 2 * databaseTimeoutMs },
  );
  if (submitted) {
    count(({ submissions }) => submissions.inc());
    return receipt(submitted);
  }
  await requireLiveLink(visit);
  const now = await findById(row.id);
  if (now.status !== "draft") return receipt(now);
  throw outdated(now, reviewed);
}

/**
 * One statement with the locked draft and the answers' version as its condition. If a save holds the row, Postgres waits and
 * checks the condition again on what was saved.
 */
async function update(
  transaction: Prisma.TransactionClient,
  visit: Visit,
  answers: Prisma.Sql,
  reviewed: (Reviewed & { inForce: string }) | null,
): Promise<Submitted | undefined> {
  const stored = Prisma.raw(answersVersion);
  const asRead = reviewed
    ? Prisma.sql`${reviewed.consent} = ${reviewed.inForce} AND ${reviewed.answers} = ${stored}`
    : Prisma.sql`true`;
  const [submitted] = await transaction.$queryRaw<Submitted[]>`
    WITH locked AS (${lockDraft(visit)}), submitted AS (
      UPDATE applications AS a SET ${answers} status = 'submitted', "submittedAt" = now(), "updatedAt" = now()
      FROM locked WHERE a.id = locked.id AND ${asRead}
      RETURNING a.id, a.reference, a."submittedAt", a.status, (${Prisma.raw(answersJson)})::jsonb AS answers, ${stored} AS hash,
        ${contacts}
    ), event AS (
      INSERT INTO events ("applicationId", "linkId", kind, address)
      SELECT id, ${visit.linkId}::uuid, 'submitted', ${visit.address} FROM submitted
    ), told AS (
      ${dueSql("submitted", dueOnSubmission())}
    )
    SELECT id, reference, "submittedAt", status, answers, hash FROM submitted`;
  return submitted;
}

/** Its hash is made here and not in SQL, by the function that verifies it later. */
async function insertRecord(
  transaction: Prisma.TransactionClient,
  { id, reference, answers }: Submitted,
  record: Omit<HashedRecord, "reference" | "answers">,
): Promise<void> {
  const { version, document, documentHash, answersHash, reviewed, consentedAt, address, userAgent } = record;
  await transaction.$executeRaw`
    INSERT INTO consent_records ("applicationId", version, document, "documentHash", answers, "answersHash", reviewed,
      "authoriseAgent", "provideSelf", "confirmLoan", "consentedAt", address, "userAgent", "recordHash")
    VALUES (${id}::uuid, ${version}, ${document}, ${documentHash}, ${JSON.stringify(answers)}::jsonb, ${answersHash}, ${reviewed},
      ${record.authoriseAgent}, ${record.provideSelf}, ${record.confirmLoan}, ${consentedAt}, ${address}, ${userAgent},
      ${recordHashOf({ ...record, reference, answers })})`;
}
