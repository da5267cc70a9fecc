"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { ApplicantBar } from "@/components/session/applicant-bar";
import { LoadingScreen } from "@/components/session/gate";
import { useOnlySubmitted } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { SupportContacts } from "@/components/site/support-contacts";
import { useMoney } from "@/components/site/use-money";
import { WindowTitle } from "@/components/site/window-title";
import { check, Icon } from "@/components/ui/icon";
import { withLinks } from "@/lib/brand";
import type { ApplicationView } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";
import { type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";
import { ReceiptLink } from "./receipt-link";
import { Fact, ReferenceCard } from "./reference-card";
import { useBlockedBack } from "./use-blocked-back";

interface StatusProps {
  application: ApplicationView & { status: StatusAfterSubmission };
}

const glyphs: Record<StatusAfterSubmission, { path: string; colours: string }> = {
  submitted: { path: check, colours: "bg-success-soft text-success" },
  "in-review": {
    path: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 4.5V12l3 2",
    colours: "bg-accent-soft text-accent-strong",
  },
  approved: { path: check, colours: "bg-success-soft text-success" },
  declined: { path: "M6 12h12", colours: "bg-line text-ink-soft" },
  withdrawn: { path: "M6 12h12", colours: "bg-line text-ink-soft" },
  paid: { path: check, colours: "bg-success-soft text-success" },
};

/** The content of every page of a submitted application: its status, what comes next, and whom to ask. */
function StatusDetails({ application, heading }: StatusProps & { heading: ReactNode }) {
  const brand = useBrand();
  const { exact } = useMoney();
  const { path, colours } = glyphs[application.status];
  const words = statuses[application.status].words(brand);
  const hasOrder = !words.isUnordered;
  const List = hasOrder ? "ol" : "ul";
  return (
    <>
      <div className="grid grid-cols-1 gap-4">
        <span className={`grid size-16 place-items-center rounded-full ${colours}`}>
          <Icon path={path} width={2.5} className="size-9" />
        </span>
        {heading}
        <p className="text-ink-soft sm:text-lg">{words.text}</p>
      </div>
      <div className="grid grid-cols-1 gap-4">
        <ReferenceCard application={application}>
          <Fact label="You asked for">{exact(centsOf(application.loanAmount))}</Fact>
          <Fact label="We'll write to">{application.email}</Fact>
        </ReferenceCard>
        <ReceiptLink />
      </div>
      <section aria-labelledby="next-steps">
        <h2 id="next-steps" className="font-bold text-xl">
          {words.nextHeading}
        </h2>
        <List className="mt-5">
          {words.next.map(({ title, text }, index) => (
            <li
              key={title}
              className={`group relative flex gap-[min(1rem,5vw)] last:pb-0 ${hasOrder ? "pb-7" : "pb-5"}`}
            >
              {hasOrder && (
                <>
                  <span
                    aria-hidden="true"
                    className="absolute top-[min(2.5rem,12.5vw)] bottom-0 left-[min(1.25rem,6.25vw)] -ml-px border-accent border-l-2 border-dashed group-last:hidden"
                  />
                  <span
                    aria-hidden="true"
                    className="grid size-[min(2.5rem,12.5vw)] shrink-0 place-items-center rounded-full bg-brand-soft font-bold text-brand tabular-nums"
                  >
                    {index + 1}
                  </span>
                </>
              )}
              <div className={`min-w-0 ${hasOrder ? "pt-2" : ""}`}>
                <h3 className="font-semibold">{title}</h3>
                <p className="wrap-anywhere text-ink-soft">
                  {withLinks(text, brand).map((part) =>
                    part.href ? (
                      <a key={part.text} href={part.href} className="link py-2.5">
                        {part.text}
                      </a>
                    ) : (
                      <span key={part.text}>{part.text}</span>
                    ),
                  )}
                </p>
              </div>
            </li>
          ))}
        </List>
      </section>
      <section aria-labelledby="questions" className="border-line border-t pt-6">
        <h2 id="questions" className="font-bold text-xl">
          Any questions?
        </h2>
        <p className="mt-1 mb-2 text-ink-soft">Quote your reference and we'll find your application straight away.</p>
        <SupportContacts />
      </section>
    </>
  );
}

const headingStyle = "font-bold text-3xl sm:text-4xl";

/** Takes the focus when it appears, at the top of the page, so that a screen reader announces the change of screen. */
function ArrivedHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={headingStyle}>
      {children}
    </h1>
  );
}

const titleAfter = (status: StatusAfterSubmission) =>
  status === "submitted" ? "Application received" : "Your application";

function StatusPage({ application, title, heading }: StatusProps & { title: string; heading: ReactNode }) {
  return (
    <div className="column grid grid-cols-1 gap-8 pt-3 pb-10 sm:py-10 print:py-0">
      <WindowTitle title={title} />
      <ApplicantBar />
      <StatusDetails application={application} heading={heading} />
    </div>
  );
}

/** Replaces the landing once the application is submitted. */
export function ReceivedState({ application }: StatusProps) {
  const { heading } = statuses[application.status];
  return (
    <StatusPage
      application={application}
      title="Your application"
      heading={<h1 className={headingStyle}>{heading}</h1>}
    />
  );
}

/** The thank-you page. On a later visit, it shows the status of the application. */
export function SuccessScreen() {
  const application = useOnlySubmitted();
  useBlockedBack(application !== null);
  if (!application) return <LoadingScreen />;
  const { status } = application;
  return (
    <StatusPage
      application={application}
      title={titleAfter(status)}
      heading={<ArrivedHeading>{statuses[status].heading}</ArrivedHeading>}
    />
  );
}

/**
 * Replaces /home and the standalone review once the application is submitted. It fills the window, so that the footer does
 * not shift when the thank-you page follows. Until the review begins, it has the specification's wording.
 */
export function SubmittedState({ application }: StatusProps) {
  const { status } = application;
  const heading =
    status === "submitted" ? (
      <>
        <ArrivedHeading>Application Submitted Successfully!</ArrivedHeading>
        <p className="font-semibold sm:text-lg">Your application has been Submitted!</p>
      </>
    ) : (
      <ArrivedHeading>{statuses[status].heading}</ArrivedHeading>
    );
  return (
    <div className="grid min-h-dvh grid-cols-1 content-start gap-8 pt-8 pb-4">
      <WindowTitle title={titleAfter(status)} />
      <StatusDetails application={application} heading={heading} />
    </div>
  );
}
