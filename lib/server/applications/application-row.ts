import "server-only";
import type { ConsentAnswers } from "@/lib/domain/application";
import type { Application } from "@/prisma/generated/client";

/** An application as the database holds it, with what was consented to once it is submitted. Never leaves the server. */
export type ApplicationRow = Application & { [Box in keyof ConsentAnswers]: boolean | null };
