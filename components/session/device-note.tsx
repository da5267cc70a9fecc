import { Banner } from "@/components/ui/banner";
import { isKept } from "@/lib/client/browser-storage";
import { useApplication } from "./session-context";

export function DeviceNote() {
  const { reference } = useApplication().application;
  return (
    <div className="mb-4 max-w-[34rem]">
      <Banner tone="info">
        {isKept() ? (
          <>
            <p>Until now this device had application {window.opened?.before} open.</p>
            <p className="font-normal">
              This link opens {reference}. Nothing of the first is lost: its own link opens it again.
            </p>
          </>
        ) : (
          <>
            <p>This browser keeps nothing on this device.</p>
            <p className="font-normal">
              You can apply all the same, in this window. What you save with Next is safe with us. What you have only
              typed is lost when you close or reload the page; then open the link in our message again.
            </p>
          </>
        )}
      </Banner>
    </div>
  );
}
