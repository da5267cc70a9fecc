import { isKept } from "@/lib/client/browser-storage";
import { useApplication } from "./session-context";

export function DeviceNote() {
  const { reference } = useApplication().application;
  return (
    <div
      role="status"
      className="mb-4 max-w-[34rem] rounded-lg border border-accent border-l-4 bg-accent-soft px-4 py-3"
    >
      {isKept() ? (
        <>
          <p className="font-semibold">Until now this device had application {window.opened?.before} open.</p>
          <p>This link opens {reference}. Nothing of the first is lost: its own link opens it again.</p>
        </>
      ) : (
        <>
          <p className="font-semibold">This browser keeps nothing on this device.</p>
          <p>
            You can apply all the same, in this window. What you save with Next is safe with us. What you have only
            typed is lost when you close or reload the page; then open the link in our message again.
          </p>
        </>
      )}
    </div>
  );
}
