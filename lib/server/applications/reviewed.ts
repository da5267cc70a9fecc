import "server-only";
import type { Outdated, Reviewed } from "@/lib/domain/reviewed";
import { check } from "@/lib/schemas/check";
import { reviewedSchema } from "@/lib/schemas/consent";
import type { ApplicationRow } from "@/lib/server/db/application-row";
import { consentInForce } from "@/lib/server/evidence/consent-in-force";
import { CallError, invalidAnswers } from "@/lib/server/http/call-error";
import { toView } from "./to-view";

/** What a submission says was shown; null where it says nothing. */
export function reviewedIn(data: unknown): Reviewed | null {
  const { reviewed } = data as { reviewed?: unknown };
  if (reviewed === undefined) return null;
  const { data: read, errors } = check(reviewedSchema, reviewed);
  if (errors) throw invalidAnswers({ reviewed: "Say what was shown as { answers, consent }, or leave it out" });
  return read;
}

const sentences: Record<string, string> = {
  answers: "Your application has changed since you read it",
  consent: "The agreement has changed since you read it",
};

/** The refusal of a submission (409) that was not read as it stands, with what there is to read now. */
export function outdated(row: ApplicationRow, reviewed: Reviewed | null): CallError {
  const consent = consentInForce();
  const application = toView(row);
  const isTextOutdated = reviewed?.consent !== consent.hash;
  const data: Outdated = {
    changed: [
      ...(reviewed?.answers === application.version ? [] : (["answers"] as const)),
      ...(isTextOutdated ? (["consent"] as const) : []),
    ],
    application,
    ...(isTextOutdated ? { consent } : {}),
  };
  const message =
    sentences[data.changed.join()] ?? "Your application and the agreement have changed since you read them";
  return new CallError(409, message, { data });
}
