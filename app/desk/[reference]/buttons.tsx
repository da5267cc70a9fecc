import Link from "next/link";
import type { ReactNode } from "react";
import { ActionForm } from "@/components/desk/action-form";
import { TimeLeft } from "@/components/desk/time-left";
import { buttonStyle } from "@/components/ui/button";
import { boxedInput, FieldFrame } from "@/components/ui/field-frame";
import { statuses } from "@/lib/domain/statuses";
import type { DeskApplication } from "@/lib/server/desk/application-view";
import { decisionButtons } from "@/lib/server/desk/decisions";
import { mayDo, type Role } from "@/lib/server/desk/rights";
import { correct, note, release, review, revoke, sendLink, take, undoChange } from "./actions";
import { ShownFields } from "./shown-fields";

interface ButtonsProps {
  application: DeskApplication;
  role: Role;
  /** Who is signed in. */
  by: string;
  delayMinutes: number;
}

/** A button that opens a page. It works without scripts. */
function Opens({ path, children }: { path: string; children: ReactNode }) {
  return (
    <form action={path} method="get">
      <button type="submit" className={buttonStyle("secondary")}>
        {children}
      </button>
    </form>
  );
}

/** Everything that this person may do with the application now. The server refuses everything else. */
export function Buttons({ application, role, by, delayMinutes }: ButtonsProps) {
  const { reference, status, takenBy, undo, isErased, isEmpty, hasLiveLink, contact, shownContact } = application;
  const hasContact = !isErased && !isEmpty;
  const isOwn = takenBy.toLowerCase() === by.toLowerCase();
  const shown = <ShownFields application={application} />;
  const path = `/desk/${reference}`;
  const mayUndo = undo !== null && mayDo(role, undo.right);
  const decisions = mayDo(role, "decide") ? application.decisions : [];
  return (
    <div className="grid gap-6">
      <ActionForm
        key="handling"
        action={isOwn ? release : take}
        button={isOwn ? "Release" : takenBy ? "Take over" : "Take"}
      >
        {shown}
        <input type="hidden" name="takenBy" value={takenBy} />
        <p className="wrap-anywhere">
          {isOwn ? "You are handling this." : takenBy ? `${takenBy} is handling this.` : "Nobody is handling this."}
        </p>
      </ActionForm>
      {hasContact && <AddNote application={application} />}
      {mayUndo ? (
        <ActionForm key="review" action={undoChange} button="Undo" variant="primary">
          {shown}
          <p>
            {`The status is ${statuses[undo.from].name}. Undo sets it back to ${statuses[undo.to].name}, and the email about it is not sent. `}
            <TimeLeft until={undo.until} time={undo.time} />
          </p>
        </ActionForm>
      ) : (
        <ActionForm key="review" action={review} button="Start review" isDone={status !== "submitted"}>
          {shown}
          <p className="text-ink-soft text-sm">{`The applicant sees at once that the review has begun. The email about it waits ${delayMinutes} min.`}</p>
        </ActionForm>
      )}
      {decisions.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {decisions.map((decision) => (
            <Opens key={decision} path={`${path}/status/${decision}`}>
              {decisionButtons[decision]}
            </Opens>
          ))}
        </div>
      )}
      {hasContact && (
        <ActionForm action={sendLink} button="Send a new link">
          {shown}
          <p className="text-ink-soft text-sm">{`The old links stop working. The new one goes to ${[contact.email, shownContact.mobile].filter(Boolean).join(" or, if that cannot be reached, to ")}.`}</p>
        </ActionForm>
      )}
      {status === "draft" && hasContact && <CorrectContact application={application} />}
      {hasContact && (
        <Link href="/desk/messages#opt-outs" prefetch={false} className="link inline-flex min-h-11 items-center">
          Stop writing to this person
        </Link>
      )}
      {mayDo(role, "revoke") && (
        <ActionForm action={revoke} button="Revoke links" isDone={!hasLiveLink}>
          {shown}
          <p className="text-ink-soft text-sm">No link of this application works afterwards.</p>
        </ActionForm>
      )}
      {mayDo(role, "export") && (
        <div className="flex flex-wrap gap-3 border-line border-t pt-5">
          <Opens path={`${path}/export`}>Export</Opens>
          {hasContact && <Opens path={`${path}/erase`}>Erase</Opens>}
        </div>
      )}
    </div>
  );
}

function AddNote({ application }: Pick<ButtonsProps, "application">) {
  return (
    <ActionForm action={note} button="Add a note">
      <ShownFields application={application} />
      <FieldFrame id="note" label="Note">
        {(control) => <textarea {...control} rows={2} maxLength={5000} className={boxedInput} />}
      </FieldFrame>
    </ActionForm>
  );
}

const contactFields = { email: ["Email address", "email"], mobile: ["Mobile", "tel"] } as const;

function CorrectContact({ application }: Pick<ButtonsProps, "application">) {
  return (
    <ActionForm action={correct} button="Correct contact">
      <ShownFields application={application} />
      <p className="text-ink-soft text-sm">For an invitation that did not arrive. The old links stop working.</p>
      {(["email", "mobile"] as const).map((name) => (
        <div key={name}>
          <input type="hidden" name={`shown-${name}`} value={application.contact[name]} />
          <FieldFrame id={name} label={contactFields[name][0]}>
            {(control) => (
              <input
                {...control}
                type={contactFields[name][1]}
                autoComplete="off"
                defaultValue={application.shownContact[name]}
                className={`${boxedInput} basis-0`}
              />
            )}
          </FieldFrame>
        </div>
      ))}
      <Tick name="send" isTicked>
        Send an invitation to the right contact
      </Tick>
      <Tick name="allow-duplicates">Accept a mobile that has another open application</Tick>
    </ActionForm>
  );
}

function Tick({ name, isTicked, children }: { name: string; isTicked?: boolean; children: ReactNode }) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" name={name} defaultChecked={isTicked} className="size-5 shrink-0 accent-brand" />
      <span>{children}</span>
    </label>
  );
}
