import { notFound } from "next/navigation";
import { cache } from "react";
import { requirePerson } from "@/app/desk/guard";
import { recordRun } from "@/lib/server/applications/record-run";
import { readForDesk } from "@/lib/server/desk/application-view";
import { Refusal } from "@/lib/server/refusal";

/** The person and the application of a page, whose reading is recorded. Cached, because the page's title needs it too. */
export const readPage = cache(async (reference: string, page: string) => {
  const person = await requirePerson(`/desk/${encodeURIComponent(reference)}`);
  const application = await readForDesk(reference).catch((error: unknown) => {
    if (error instanceof Refusal) notFound();
    throw error;
  });
  await recordRun({ by: person.by, command: `desk ${page}`, count: 1, reference: application.reference });
  return { person, application };
});
