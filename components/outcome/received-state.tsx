import { Holder } from "@/components/session/holder";
import { WindowTitle } from "@/components/site/window-title";
import { statusHeadings } from "@/lib/domain/status-words";
import { StatusDetails, type StatusProps } from "./status-details";

/** Replaces the landing once the application is submitted. */
export function ReceivedState({ application }: StatusProps) {
  const { heading } = statusHeadings[application.status];
  return (
    <div className="column grid grid-cols-1 gap-8 py-10 sm:py-14">
      <WindowTitle title="Your application" />
      <Holder />
      <StatusDetails
        application={application}
        heading={<h1 className="font-bold text-3xl sm:text-4xl">{heading}</h1>}
      />
    </div>
  );
}
