import Link from "next/link";
import { useEffect } from "react";
import { forgetDraft } from "@/lib/client/drafts";
import { useScreenTitle } from "./use-screen";

/** What /home and the standalone review are once the application is in. */
export function SubmittedState({ reference }: { reference: string }) {
  const title = "Application Submitted Successfully!";
  useScreenTitle(title);
  // Submitted on another device, perhaps: what was typed on this one has had its day.
  useEffect(() => forgetDraft(reference), [reference]);
  return (
    <div className="flex flex-col items-center gap-4 py-8 text-center">
      <svg viewBox="0 0 48 48" fill="none" aria-hidden="true" className="size-16 text-success">
        <circle cx="24" cy="24" r="22" fill="currentColor" />
        <path
          d="m14.5 24.8 6.6 6.6L34 18"
          stroke="white"
          strokeWidth="4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <h1 className="font-semibold text-3xl">{title}</h1>
      <p className="text-lg">Your application has been Submitted!</p>
      <p>
        Your reference is <strong className="whitespace-nowrap font-semibold tabular-nums">{reference}</strong>.
      </p>
      <Link href="/submit-success" className="link inline-flex min-h-11 items-center">
        What happens next
      </Link>
    </div>
  );
}
