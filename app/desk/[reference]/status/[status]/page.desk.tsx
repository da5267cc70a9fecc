import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { setDecision } from "@/app/desk/[reference]/actions";
import { ConfirmPage } from "@/app/desk/[reference]/confirm-page";
import { readPage } from "@/app/desk/[reference]/read";
import { ShownFields } from "@/app/desk/[reference]/shown-fields";
import { ActionForm } from "@/components/desk/action-form";
import { Banner } from "@/components/ui/banner";
import { boxedInput, FieldFrame } from "@/components/ui/field-frame";
import { previewDecision } from "@/lib/server/desk/decision-preview";
import { type DecisionStatus, decisionButtons } from "@/lib/server/desk/decisions";
import { mayDo } from "@/lib/server/desk/rights";
import { statusName } from "@/lib/server/desk/status-name";

interface Params {
  params: Promise<{ reference: string; status: string }>;
}

const isDecision = (status: string): status is DecisionStatus => Object.hasOwn(decisionButtons, status);

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { reference, status } = await params;
  return { title: isDecision(status) ? `${decisionButtons[status]} ${reference}` : reference };
}

export default async function Decision({ params }: Params) {
  const { reference: typed, status } = await params;
  if (!isDecision(status)) notFound();
  const { person, application } = await readPage(typed, "status");
  const { reference, name } = application;
  const title = `${decisionButtons[status]}: ${reference} ${name}`.trim();
  const refuse = (refused: string) => <ConfirmPage reference={reference} title={title} refused={refused} />;
  if (!mayDo(person.role, "decide")) return refuse("Only an approver may do this.");
  if (!application.decisions.includes(status))
    return refuse(`Its status is ${statusName(application.status)} now, so this can no longer be done.`);
  const { screen, email } = await previewDecision(reference, status);
  const when = email.delayMinutes === 0 ? "at once" : `in ${email.delayMinutes} min, unless you undo it before`;
  return (
    <ConfirmPage reference={reference} title={title}>
      <p>{`Amount: ${application.amount}. Payee: ${application.payee || "–"}.`}</p>
      {application.warnings.map((warning) => (
        <Banner key={warning} tone="error" isAnnounced>
          {warning}
        </Banner>
      ))}
      <section aria-labelledby="seen">
        <h2 id="seen" className="font-semibold text-lg">
          What the applicant's link shows at once
        </h2>
        {!application.hasLiveLink && <p>The applicant has no working link now.</p>}
        <div className="mt-2 grid gap-2 border-line border-l-4 pl-4">
          <p className="font-semibold">{screen.heading}</p>
          <p>{screen.text}</p>
          <p>{screen.nextHeading}</p>
          <ul className="list-disc pl-5">
            {screen.next.map(({ title: step, text }) => (
              <li key={step}>{`${step}. ${text}`}</li>
            ))}
          </ul>
        </div>
      </section>
      <section aria-labelledby="got">
        <h2 id="got" className="font-semibold text-lg">
          What the applicant gets
        </h2>
        {email.none ? (
          <p>{`No email: ${email.none}.`}</p>
        ) : (
          <>
            <p className="wrap-anywhere">{`An email to ${email.to}, ${when}:`}</p>
            <details className="mt-2 border-line border-l-4 pl-4">
              <summary className="min-h-11 cursor-pointer py-2.5">{email.subject}</summary>
              <p className="wrap-anywhere whitespace-pre-wrap">{email.text}</p>
            </details>
          </>
        )}
      </section>
      <ActionForm
        action={setDecision}
        button={decisionButtons[status]}
        variant={status === "declined" ? "danger" : "primary"}
      >
        <ShownFields application={application} />
        <input type="hidden" name="to" value={status} />
        <FieldFrame
          id="reason"
          label="Reason"
          hint="For the record. It is not in the email, but an export of this person's data contains it."
        >
          {(control) => <input {...control} type="text" maxLength={1000} autoComplete="off" className={boxedInput} />}
        </FieldFrame>
      </ActionForm>
    </ConfirmPage>
  );
}
