import type { Metadata } from "next";
import Link from "next/link";
import { erase } from "@/app/desk/[reference]/actions";
import { ConfirmPage } from "@/app/desk/[reference]/confirm-page";
import { readPage } from "@/app/desk/[reference]/read";
import { ShownFields } from "@/app/desk/[reference]/shown-fields";
import { ActionForm } from "@/components/desk/action-form";
import { erasureInWords } from "@/lib/server/applications/erase";
import { otherApplicationsOf } from "@/lib/server/applications/personal-data";
import { mayDo } from "@/lib/server/desk/rights";
import { statusName } from "@/lib/server/desk/status-name";

export const metadata: Metadata = { title: "Erase" };

export default async function Erase({ params }: { params: Promise<{ reference: string }> }) {
  const { person, application } = await readPage((await params).reference, "erase");
  const { reference, name, status, times } = application;
  const title = `Erase: ${reference} ${name}`.trim();
  if (!mayDo(person.role, "erase"))
    return <ConfirmPage reference={reference} title={title} refused="Only an approver may do this." />;
  const others = await otherApplicationsOf(reference);
  return (
    <ConfirmPage reference={reference} title={title}>
      <p>{`Its status is ${statusName(status)}.`}</p>
      <p className="whitespace-pre-line">{erasureInWords}</p>
      {others.length > 0 && (
        <div>
          <p>Other applications have the same mobile or email. They may concern the same person, and are not erased:</p>
          <ul>
            {others.map((other) => (
              <li key={other}>
                <Link href={`/desk/${other}`} prefetch={false} className="link inline-flex min-h-11 items-center">
                  {other}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <ActionForm action={erase} button="Erase" variant="danger">
        <ShownFields application={application} />
        <input type="hidden" name="updatedAt" value={times.updatedAt} />
        <input type="hidden" name="erasedAt" value={times.erasedAt} />
      </ActionForm>
    </ConfirmPage>
  );
}
