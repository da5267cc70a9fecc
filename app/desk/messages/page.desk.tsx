import type { Metadata } from "next";
import Link from "next/link";
import { requirePerson } from "@/app/desk/guard";
import { ActionForm } from "@/components/desk/action-form";
import { Banner } from "@/components/ui/banner";
import { ButtonLink } from "@/components/ui/button";
import { boxedInput, FieldFrame } from "@/components/ui/field-frame";
import { formatToMinute } from "@/lib/domain/zone-time";
import { recordRun } from "@/lib/server/applications/record-run";
import { outsideHours } from "@/lib/server/delivery/check-message";
import { refusedRetries } from "@/lib/server/delivery/list-messages";
import {
  countOutstanding,
  listOutstanding,
  maxCounted,
  type OutstandingState,
  outstandingStates,
  pauseOf,
} from "@/lib/server/delivery/outstanding-messages";
import { mayDo } from "@/lib/server/desk/rights";
import { messageInWords } from "@/lib/server/outbox/message-words";
import { stoppedError } from "@/lib/server/outbox/reachability";
import { reasonInWords } from "@/lib/server/outbox/reason-words";
import { currentSettings } from "@/lib/server/settings";
import { addOne, lookUp, removeOne, retryAll, retryOne } from "./actions";

export const metadata: Metadata = { title: "Messages" };

const channelNames = { email: "email", sms: "SMS", webhook: "webhook" };
const stateWords: Record<OutstandingState, { name: string; text: string }> = {
  failed: { name: "Failed", text: "These failed or came back. They are not tried again automatically." },
  unknown: { name: "Unknown", text: "These may have arrived. If you retry one, the person may get it twice." },
  waiting: { name: "Waiting", text: "These are due, or an attempt has failed. They are sent automatically." },
};

const shownCount = (count: number) => (count > maxCounted ? "more than 1,000" : count.toLocaleString("en"));

export default async function Messages({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const query = await searchParams;
  const state = outstandingStates.find((known) => known === query.state) ?? "failed";
  const person = await requirePerson(`/desk/messages?state=${state}`);
  const { messages, next } = await listOutstanding(state, String(query.after ?? ""));
  await recordRun({ by: person.by, command: "desk messages", count: messages.length });
  // Waiting messages that an attempt has not refused yet are sent anyway.
  const refusals = await refusedRetries(state === "waiting" ? [] : messages.map(({ number }) => number));
  const counts = await Promise.all(
    outstandingStates.map(async (name) => ({ name, counts: await countOutstanding(name) })),
  );
  const channels = (["email", "sms", "webhook"] as const).filter((channel) => currentSettings().sending[channel]);
  const pauses = await Promise.all(channels.map(async (channel) => ({ channel, error: await pauseOf(channel) })));
  const here = counts.find(({ name }) => name === state)?.counts ?? [];
  return (
    <div className="desk grid gap-8 py-6">
      <div className="grid gap-4">
        <h1 className="font-bold text-2xl">Messages</h1>
        {pauses.map(({ channel, error }) =>
          error ? (
            <Banner key={channel} tone="error">
              {`Sending by ${channelNames[channel]} is paused. ${reasonInWords(error)} It goes on by itself once the provider answers.`}
            </Banner>
          ) : null,
        )}
        <nav aria-label="Messages by state" className="flex flex-wrap gap-2">
          {counts.map(({ name, counts: each }) => (
            <ButtonLink
              key={name}
              href={`/desk/messages?state=${name}`}
              variant={name === state ? "primary" : "secondary"}
              aria-current={name === state ? "page" : undefined}
            >
              {`${stateWords[name].name}: ${shownCount(each.reduce((sum, [, count]) => sum + count, 0))}`}
            </ButtonLink>
          ))}
        </nav>
        <p className="text-ink-soft">{messages.length > 0 ? stateWords[state].text : "There are none."}</p>
        <div className="flex flex-wrap gap-4">
          {here.map(([channel, count]) =>
            count > 1 ? (
              <ActionForm
                key={`${state}-${channel}`}
                action={retryAll}
                button={`Retry all by ${channelNames[channel]} (${shownCount(count)})`}
              >
                <input type="hidden" name="state" value={state} />
                <input type="hidden" name="channel" value={channel} />
              </ActionForm>
            ) : null,
          )}
        </div>
        <ol className="grid gap-3">
          {messages.map(({ number, kind, channel, recipient, error, attempts, due, reference }) => (
            <li
              key={number}
              className="grid gap-x-6 gap-y-2 rounded-lg border border-line bg-surface p-4 lg:grid-cols-[minmax(0,1fr)_auto]"
            >
              <div className="min-w-0">
                <p className="wrap-anywhere font-semibold">{messageInWords({ kind, channel, recipient })}</p>
                <p className="wrap-anywhere">{reasonInWords(error)}</p>
                <p className="text-ink-soft text-sm">
                  {reference && (
                    <Link prefetch={false} className="link" href={`/desk/${reference}`}>
                      {reference}
                    </Link>
                  )}
                  {` Message ${number}, due ${formatToMinute(due, currentSettings().brand)}, attempts: ${attempts}`}
                </p>
              </div>
              {refusals.has(number) && (
                <p className="self-center text-ink-soft text-sm">
                  {`There is nothing to retry. ${reasonInWords(refusals.get(number) ?? "")}`}
                  {refusals.get(number) === stoppedError && " If it bounced, correct the contact of the application."}
                </p>
              )}
              {!refusals.has(number) && (state !== "waiting" || !["", outsideHours].includes(error)) && (
                <ActionForm action={retryOne} button="Retry" about={`message ${number}`}>
                  <input type="hidden" name="number" value={number} />
                </ActionForm>
              )}
            </li>
          ))}
        </ol>
        {next && (
          <p>
            <Link
              prefetch={false}
              className="link"
              href={`/desk/messages?${new URLSearchParams({ state, after: next })}`}
            >
              Next page
            </Link>
          </p>
        )}
      </div>
      <section aria-labelledby="opt-outs" className="grid gap-4">
        <h2 id="opt-outs" className="font-semibold text-xl">
          Opt-outs
        </h2>
        <p className="text-ink-soft">
          An opt-out stops invitations and reminders to an address or number. The address or number itself is not
          stored. The reason is stored as you type it, so name nobody in it.
        </p>
        <div className="grid items-start gap-8 lg:grid-cols-3">
          <ActionForm action={lookUp} button="Look up">
            <Field id="look-up-address" name="address" label="Address or number to look up" />
          </ActionForm>
          <ActionForm action={addOne} button="Add the opt-out">
            <Field id="add-address" name="address" label="Address or number to stop" />
            <Field id="add-reason" name="reason" label="Reason to stop" />
          </ActionForm>
          {mayDo(person.role, "remove-opt-out") && (
            <ActionForm action={removeOne} button="Remove the opt-out">
              <Field id="remove-address" name="address" label="Address or number to allow again" />
              <Field id="remove-reason" name="reason" label="Reason to allow it again" />
            </ActionForm>
          )}
        </div>
      </section>
    </div>
  );
}

function Field({ id, name, label }: { id: string; name: string; label: string }) {
  return (
    <FieldFrame id={id} label={label}>
      {(control) => <input {...control} name={name} autoComplete="off" className={`${boxedInput} basis-0`} />}
    </FieldFrame>
  );
}
