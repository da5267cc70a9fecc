import { useInBrowser } from "@/components/ui/use-in-browser";
import { isTokenStored } from "@/lib/client/browser-storage";
import { isSubmitted } from "@/lib/domain/journey";
import { useApplication } from "./session-context";

/** Notes about this device. With `arriving`, they also name an application that was open on it before. */
export function DeviceNotes({ arriving = false }: { arriving?: boolean }) {
  const { application } = useApplication();
  const isShown = useInBrowser() && (!isTokenStored() || (arriving && window.opened?.previousReference));
  if (!isShown) return null;
  return (
    <div
      role="status"
      className="mb-4 max-w-[34rem] rounded-lg border border-accent border-l-4 bg-accent-soft px-4 py-3"
    >
      {isTokenStored() ? (
        <>
          <p className="font-semibold">This device was last used for application {window.opened?.previousReference}.</p>
          <p>
            This link opens {application.reference}. You haven't lost the other application. Its own link will open it
            again.
          </p>
        </>
      ) : (
        <>
          <p className="font-semibold">This browser isn't saving anything on this device.</p>
          {isSubmitted(application) ? (
            <p>If you close or reload the page, you'll need to open the link in our message again.</p>
          ) : (
            <p>
              You can still apply in this window. What you save with Next is safe with us. If you close or reload the
              page, you'll lose what you haven't saved, and will need to open the link in our message again.
            </p>
          )}
        </>
      )}
    </div>
  );
}
