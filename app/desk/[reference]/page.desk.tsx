import type { Metadata } from "next";
import Link from "next/link";
import { Banner } from "@/components/ui/banner";
import { Card } from "@/components/ui/card";
import type { DeskApplication } from "@/lib/server/desk/application-view";
import { statusName } from "@/lib/server/desk/status-name";
import { currentSettings } from "@/lib/server/settings";
import { Buttons } from "./buttons";
import { readPage } from "./read";
import { Answers, Consents, LinksAndMessages, Timeline } from "./records";

interface Params {
  params: Promise<{ reference: string }>;
}

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { reference } = await params;
  // An error thrown here would replace the layout. The page throws it again.
  const page = await readPage(reference, "show").catch(() => null);
  return {
    title: page ? `${page.application.reference}, ${statusName(page.application.status)}` : "No such application",
  };
}

export default async function Application({ params }: Params) {
  const { person, application } = await readPage((await params).reference, "show");
  return (
    <div className="desk grid gap-8 py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <Summary application={application} />
      <aside aria-label="Actions" className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <Card>
          <Buttons
            application={application}
            role={person.role}
            by={person.by}
            delayMinutes={currentSettings().STATUS_DELAY_MINUTES}
          />
        </Card>
      </aside>
      <div className="grid min-w-0 content-start gap-8">
        <Answers application={application} />
        <Consents application={application} />
        <LinksAndMessages application={application} />
        <Timeline application={application} />
      </div>
    </div>
  );
}

const documentsBy = { agent: "the agent", self: "the applicant" };

function Summary({ application }: { application: DeskApplication }) {
  const { reference, name, status, amount, payee, documents, nextStep, warnings, duplicateOf, facts, lastNote } =
    application;
  const rows = [
    ["Status", statusName(status)],
    ["Next step", nextStep],
    ["Amount", amount || "not given yet"],
    ["Payee", payee || "not given yet"],
    ...(documents ? [["Documents from", documentsBy[documents]]] : []),
    ...facts,
    ...(lastNote ? [["Last note", lastNote]] : []),
  ];
  return (
    <div className="grid min-w-0 content-start gap-4">
      <h1 className="wrap-anywhere font-bold text-3xl">
        <span className="whitespace-nowrap">{reference}</span>
        {name && ` ${name}`}
      </h1>
      {warnings.map((warning) => (
        <Banner key={warning} tone="error" isAnnounced>
          {warning}
        </Banner>
      ))}
      {duplicateOf.length > 0 && (
        <Banner tone="error" isAnnounced>
          {"The same mobile has another open application: "}
          {duplicateOf.map((other) => (
            <Link key={other} href={`/desk/${other}`} prefetch={false} className="link mr-2 inline-block py-2.5">
              {other}
            </Link>
          ))}
        </Banner>
      )}
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {rows.map(([label, value]) => (
          <div key={label} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="wrap-anywhere font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
