import { lazy, Suspense } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { isKept } from "@/lib/client/browser-storage";

/** Loaded on demand: few visits need it. */
const DeviceNote = lazy(async () => ({ default: (await import("./device-note")).DeviceNote }));

/** What the person should know about this device; `arriving` also names an application that was open here before. */
export function DeviceNotes({ arriving = false }: { arriving?: boolean }) {
  const isShown = useInBrowser() && (!isKept() || (arriving && window.opened?.before));
  return (
    isShown && (
      <Suspense>
        <DeviceNote />
      </Suspense>
    )
  );
}
