import "server-only";
import type { ConsentAnswers } from "@/lib/domain/application";
import type { Application } from "@/prisma/generated/client";

/** Empty until the application is submitted. */
type RecordedConsent = { [Box in keyof ConsentAnswers]: boolean | null } & {
  consentVersion: string | null;
  consentDocument: string | null;
  consentedAt: Date | null;
};

/** An application as the database holds it, with what was consented to. Never leaves the server. */
export type ApplicationRow = Application & RecordedConsent;
