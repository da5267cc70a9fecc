"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { ApplicantBar } from "@/components/session/applicant-bar";
import { WindowTitle } from "@/components/site/window-title";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { statusHeadings } from "@/lib/domain/status-words";
import { StatusDetails, type StatusProps } from "./status-details";
import { useBlockedBack } from "./use-blocked-back";
import { useOnlySubmitted } from "./use-only-submitted";

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

const titleAfter = (status?: ApplicationStatus) =>
  status === "submitted" ? "Application received" : "Your application";

interface StatusPageProps extends StatusProps {
  title: string;
  heading: ReactNode;
}

function StatusPage({ application, title, heading }: StatusPageProps) {
  return (
    <div className="column grid grid-cols-1 gap-8 py-10 sm:py-14">
      <WindowTitle title={title} />
      <ApplicantBar />
      <StatusDetails application={application} heading={heading} />
    </div>
  );
}

/** Replaces the landing once the application is submitted. */
export function ReceivedState({ application }: StatusProps) {
  const { heading } = statusHeadings[application.status];
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
  const title = titleAfter(application?.status);
  useBlockedBack(application !== null);
  if (!application) return <WindowTitle title={title} />;
  const { heading } = statusHeadings[application.status];
  return <StatusPage application={application} title={title} heading={<ArrivedHeading>{heading}</ArrivedHeading>} />;
}

/**
 * Replaces /home and the standalone review once the application is submitted. It fills the window, so that the footer does
 * not shift when the thank-you page follows. Right after submission, it has the specification's wording.
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
      <ArrivedHeading>{statusHeadings[status].heading}</ArrivedHeading>
    );
  return (
    <div className="grid min-h-dvh grid-cols-1 content-start gap-8 py-4">
      <WindowTitle title={titleAfter(status)} />
      <StatusDetails application={application} heading={heading} />
    </div>
  );
}
