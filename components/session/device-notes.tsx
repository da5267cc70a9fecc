import { useState, useSyncExternalStore } from "react";
import { Banner } from "@/components/ui/banner";
import { dismissReplaced, isTokenStored, replacedReference } from "@/lib/client/browser-storage";
import { onWindow } from "@/lib/client/window-events";
import { isSubmitted } from "@/lib/domain/journey";
import { useApplication } from "./session-context";

const onStorage = (listener: () => void) => onWindow(["storage"], listener);

/** Notes about this device: that it stores nothing, or that a link has replaced the application that was open on it. */
export function DeviceNotes() {
  const { application } = useApplication();
  const [, renderAgain] = useState(0);
  const isStored = useSyncExternalStore(onStorage, isTokenStored, () => true);
  const replaced = useSyncExternalStore(
    onStorage,
    () => replacedReference(application.reference),
    () => null,
  );
  if (!isStored) return <NothingStored isSent={isSubmitted(application)} />;
  if (!replaced) return null;
  const opened = `You've opened application ${application.reference}.`;
  function dismiss() {
    dismissReplaced();
    renderAgain((count) => count + 1);
  }
  return (
    <div className="mb-4 max-w-[34rem]">
      <Banner tone="info" dismiss={{ what: opened, onDismiss: dismiss }}>
        <p>{opened}</p>
        <p className="font-normal">{`Application ${replaced} isn't lost: its own link opens it.`}</p>
      </Banner>
    </div>
  );
}

function NothingStored({ isSent }: { isSent: boolean }) {
  return (
    <div
      role="status"
      className="mb-4 max-w-[34rem] rounded-lg border border-accent border-l-4 bg-accent-soft px-4 py-3"
    >
      <p className="font-semibold">This browser isn't saving anything on this device.</p>
      {isSent ? (
        <p>If you close or reload the page, you'll need to open the link in our message again.</p>
      ) : (
        <p>
          You can still apply in this window. What you save with Next is safe with us. If you close or reload the page,
          you'll lose what you haven't saved, and will need to open the link in our message again.
        </p>
      )}
    </div>
  );
}
