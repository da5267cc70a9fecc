"use client";

import Link from "next/link";
import { type ReactNode, useActionState, useEffect, useRef, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { boxedInput, FieldFrame } from "@/components/ui/field-frame";
import { type AnswerKind, answers, invitableAnswers, namesOf, staffLabelOf } from "@/lib/domain/application";
import type { ActionResult } from "./action-form";

interface Preview {
  digest: string;
  open: string;
  others: { reference: string; status: string }[];
  notes: string[];
  subject: string;
  text: string;
}

export type InviteState = { fields: Record<string, string> } & (
  | { problems: Record<string, string> }
  | { preview: Preview; warning?: string }
  | { reference: string; link: string; sentBy: string }
);

type State = InviteState | ActionResult;

interface InviteFormProps {
  action: (before: State, form: FormData) => Promise<State>;
  /** Whether the app can send anything at all. */
  maySend: boolean;
}

const titles = { 1: "The applicant", 2: "The agent", 3: "The repair" } as const;
/** The answers that an invitation may give, by the step of the applicant's form. */
const groups = ([1, 2, 3] as const).map((step) => ({
  title: titles[step],
  names: invitableAnswers.filter((name) => namesOf(step).some((own) => own === name)),
}));

const inputTypes: Partial<Record<AnswerKind, object>> = { phone: { type: "tel" }, email: { inputMode: "email" } };
const hints: Partial<Record<AnswerKind, string>> = { money: "Several quotes: 2450.00; 1999.00. The highest counts." };

/** Such as 'That is not an email address' and 'Mobile must be a phone number'. */
const inWords = (label: string, problem: string) => `${problem.startsWith("is not ") ? "That" : label} ${problem}`;

/** One form in two steps: what was typed stays, and the second press sends exactly what the first one has shown. */
export function InviteForm({ action, maySend }: InviteFormProps) {
  const [state, run, isPending] = useActionState(action, null);
  const shown = useRef<HTMLElement>(null);
  useEffect(() => {
    if (state) shown.current?.focus();
  }, [state]);
  if (state && "reference" in state) return <Invited {...state} heading={shown} />;
  const fields = state && "fields" in state ? state.fields : {};
  const problems = state && "problems" in state ? state.problems : {};
  const preview = state && "preview" in state ? state.preview : null;
  const refused =
    state && "refused" in state
      ? state.refused
      : state && "warning" in state
        ? state.warning
        : Object.keys(problems).length > 0 && "Nothing was sent. Correct the marked fields.";
  const input = (flag: string, label: string, hint = "", type: object = {}) => (
    <FieldFrame
      key={flag}
      id={flag}
      label={label}
      hint={hint}
      required={flag === "mobile"}
      error={problems[flag] && inWords(label, problems[flag])}
    >
      {(control) => (
        <input
          {...control}
          {...type}
          defaultValue={fields[flag] ?? ""}
          autoComplete="off"
          spellCheck={false}
          className={`${boxedInput} basis-0`}
        />
      )}
    </FieldFrame>
  );
  return (
    <form
      action={run}
      onReset={(event) => event.preventDefault()}
      onSubmit={(event) => isPending && event.preventDefault()}
      className="grid max-w-4xl gap-6"
    >
      <div className="grid gap-6 lg:grid-cols-2">
        {groups.map(({ title, names }) => (
          <Group key={title} title={title}>
            {names.map((name) => {
              const { flag = name, kind } = answers[name];
              return input(flag, staffLabelOf(name), hints[kind], inputTypes[kind]);
            })}
          </Group>
        ))}
        <Group title="The invitation">
          <FieldFrame id="source" label="Source" error={problems.source}>
            {(control) => (
              <select {...control} defaultValue={fields.source ?? ""} className={`${boxedInput} basis-0`}>
                <option value="">None</option>
                <option value="ba">Pre-approval (ba)</option>
                <option value="ia">Invoice (ia)</option>
              </select>
            )}
          </FieldFrame>
          {input("consent-basis", "Why we may write to this person", "For the record, such as 'asked us by phone'.")}
          <div>
            <Choice type="radio" name="sending" value="send" defaultChecked={maySend} disabled={!maySend}>
              {maySend ? "Send it by email, or else by SMS" : "Sending is not set up on this desk"}
            </Choice>
            <Choice type="radio" name="sending" value="show" defaultChecked={!maySend}>
              Only show me the link
            </Choice>
          </div>
        </Group>
      </div>
      <div>
        <Button type="submit" name="step" value="preview" variant={preview ? "secondary" : "primary"}>
          {preview ? "Preview again" : "Preview the invitation"}
        </Button>
      </div>
      <div>{refused && <Banner tone="error">{refused}</Banner>}</div>
      {preview && (
        <section ref={shown} tabIndex={-1} aria-labelledby="preview" className="grid gap-4">
          <h2 id="preview" className="font-semibold text-xl">
            {preview.text ? "What happens when you send it" : "What happens"}
          </h2>
          <input type="hidden" name="confirmed" value={preview.digest} />
          <ul className="list-disc pl-5">
            {preview.notes.map((note) => (
              <li key={note} className="wrap-anywhere">
                {note}
              </li>
            ))}
          </ul>
          {preview.text && (
            <div className="rounded-lg border border-line bg-surface p-4">
              {preview.subject && <p className="mb-2 font-semibold">{preview.subject}</p>}
              <p className="wrap-anywhere whitespace-pre-line text-sm">{preview.text}</p>
            </div>
          )}
          {preview.others.length > 0 && (
            <Banner tone="info" isAnnounced>
              {"This mobile has another application, which needs no invitation: "}
              {preview.others.map(({ reference, status }) => (
                <Link key={reference} prefetch={false} className="link mr-2 inline-block" href={`/desk/${reference}`}>
                  {`${reference} (${status})`}
                </Link>
              ))}
            </Banner>
          )}
          {preview.open && (
            <Banner tone="info" isAnnounced>
              This mobile has an open application:{" "}
              <Link prefetch={false} className="link" href={`/desk/${preview.open}`}>
                {preview.open}
              </Link>
              <Choice type="checkbox" name="second">
                Invite this person to a second application
              </Choice>
            </Banner>
          )}
          <div>
            <Button type="submit" name="step" value="send">
              {preview.text ? "Send the invitation" : "Create the link"}
            </Button>
          </div>
        </section>
      )}
    </form>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-3 font-semibold text-lg">{title}</legend>
      <div className="grid gap-4">{children}</div>
    </fieldset>
  );
}

interface ChoiceProps {
  type: "radio" | "checkbox";
  name: string;
  value?: string;
  defaultChecked?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

function Choice({ children, ...input }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input {...input} className="size-5 accent-brand" />
      <span>{children}</span>
    </label>
  );
}

function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState("");
  // Without https there is no clipboard.
  const copy = () =>
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => setSaid("Copied."),
      () => setSaid("Your browser does not allow this. Select the link and copy it."),
    );
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Button variant="secondary" onClick={copy}>
        Copy the link
      </Button>
      <p role="status">{said}</p>
    </div>
  );
}

interface InvitedProps {
  reference: string;
  link: string;
  sentBy: string;
  heading: React.RefObject<HTMLElement | null>;
}

function Invited({ reference, link, sentBy, heading }: InvitedProps) {
  return (
    <section ref={heading} tabIndex={-1} aria-labelledby="invited" className="grid gap-4">
      <h2 id="invited" className="font-semibold text-xl">
        {sentBy ? `Invited by ${sentBy}` : "The link is ready"}
      </h2>
      <p>
        The application is{" "}
        <Link prefetch={false} className="link" href={`/desk/${reference}`}>
          {reference}
        </Link>
        .
      </p>
      {link && (
        <>
          <p>Pass this link on to the applicant and nobody else. It cannot be shown again.</p>
          <p className="wrap-anywhere rounded-lg border border-line bg-surface p-4">{link}</p>
          <CopyButton text={link} />
        </>
      )}
      {/* A new page, and not a client-side navigation, which would keep the state of the form. */}
      <p>
        <a href="/desk/invite" className="link">
          Invite another person
        </a>
      </p>
    </section>
  );
}
