import { lazy, Suspense } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { isTokenStored } from "@/lib/client/browser-storage";

/** Loaded on demand, because few visits need it. */
const DeviceNote = lazy(async () => ({ default: (await import("./device-note")).DeviceNote }));

/** Notes about this device. With `arriving`, they also name an application that was open on it before. */
export function DeviceNotes({ arriving = false }: { arriving?: boolean }) {
  const isShown = useInBrowser() && (!isTokenStored() || (arriving && window.opened?.before));
  return (
    isShown && (
      <Suspense>
        <DeviceNote />
      </Suspense>
    )
  );
}
