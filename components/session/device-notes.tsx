import { lazy, Suspense, useSyncExternalStore } from "react";
import { isKept } from "@/lib/client/browser-storage";

/** Loaded on demand: few visits need it. */
const DeviceNote = lazy(async () => ({ default: (await import("./device-note")).DeviceNote }));

const nothing = () => () => {};

/** What the person should know about this device; `arriving` also names an application that was open here before. */
export function DeviceNotes({ arriving = false }: { arriving?: boolean }) {
  const isTold = useSyncExternalStore(
    nothing,
    () => !isKept() || (arriving && window.opened?.before),
    () => false,
  );
  return (
    isTold && (
      <Suspense>
        <DeviceNote />
      </Suspense>
    )
  );
}
