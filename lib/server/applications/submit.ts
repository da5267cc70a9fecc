import "server-only";
import { createHash } from "node:crypto";
import type { ConsentAnswers } from "@/lib/domain/application";
import { consentDocument, consentText } from "@/lib/domain/consent";
import { type ApplicationStatus, answerSteps } from "@/lib/domain/journey";
import { check } from "@/lib/schemas/check";
import { consentSchema } from "@/lib/schemas/consent";
import type { Schema } from "@/lib/schemas/zod";
import { invalidAnswers } from "@/lib/server/calls/call-error";
import type { Visit } from "@/lib/server/calls/user-call";
import { validated } from "@/lib/server/calls/validated";
import { statusOf } from "@/lib/server/database/application-row";
import { prisma } from "@/lib/server/database/prisma";
import { currentSettings } from "@/lib/server/env";
import { Prisma } from "@/prisma/generated/client";
import { assignments, requireComplete, schemaOf, withLockedAnswers } from "./stored-steps";

interface Receipt {
  reference: string;
  status: ApplicationStatus;
  submittedAt: string;
}

type Submission = Pick<Visit["row"], "reference" | "submittedAt" | "status">;

function receipt({ reference, submittedAt, status }: Submission): Receipt {
  return { reference, status: statusOf(status), submittedAt: submittedAt?.toISOString() ?? "" };
}

/** The action of submit-final: submits the stored answers with this call's consent. A retry gets the first receipt. */
export async function submitFinal(visit: Visit): Promise<Receipt> {
  if (visit.row.status !== "draft") return receipt(visit.row);
  requireComplete(visit.row);
  return submitOnce(visit, validated(consentSchema, visit.data), Prisma.empty);
}

/** The action of user/submit: saves every step and submits, in one statement. */
export async function submitWhole(visit: Visit): Promise<Receipt> {
  if (visit.row.status !== "draft") return receipt(visit.row);
  const data = withLockedAnswers(visit.data, visit.row);
  const schemas = [...answerSteps.map((step): Schema => schemaOf(step)), consentSchema];
  const errors = Object.assign({}, ...schemas.map((schema) => check(schema, data).errors));
  if (Object.keys(errors).length > 0) throw invalidAnswers(errors);
  const answers = answerSteps.map((step) => assignments(step, validated(schemaOf(step), data)));
  return submitOnce(visit, validated(consentSchema, data), Prisma.sql`${Prisma.join(answers)},`);
}

/**
 * One statement with `status = 'draft'` as its condition: of any number of concurrent submissions, one updates the row
 * and writes the consent record and the event. The others update nothing and read the same receipt.
 */
async function submitOnce(visit: Visit, consent: ConsentAnswers, answers: Prisma.Sql): Promise<Receipt> {
  const { row, linkId, address, userAgent } = visit;
  const text = consentText(currentSettings().brand);
  const document = consentDocument(text);
  const documentHash = createHash("sha256").update(document).digest("hex");
  const [submitted] = await prisma().$queryRaw<Submission[]>`
    WITH submitted AS (
      UPDATE applications SET ${answers} status = 'submitted', "submittedAt" = now(), "updatedAt" = now()
      WHERE id = ${row.id}::uuid AND status = 'draft' RETURNING id, reference, "submittedAt", status
    ), consent AS (
      INSERT INTO consent_records ("applicationId", version, document, "documentHash", "authoriseAgent", "provideSelf",
        "confirmLoan", "consentedAt", address, "userAgent")
      SELECT id, ${text.version}, ${document}, ${documentHash}, ${consent.authoriseAgent}, ${consent.provideSelf},
        ${consent.confirmLoan}, "submittedAt", ${address}, ${userAgent} FROM submitted
    ), event AS (
      INSERT INTO events ("applicationId", "linkId", kind, address)
      SELECT id, ${linkId}::uuid, 'submitted', ${address} FROM submitted
    )
    SELECT reference, "submittedAt", status FROM submitted`;
  if (submitted) return receipt(submitted);
  return receipt(
    await prisma().application.findUniqueOrThrow({
      where: { id: row.id },
      select: { reference: true, submittedAt: true, status: true },
    }),
  );
}
