import { type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

interface SomethingWentWrongProps {
  /** The error id of Next, by which support finds the log line. */
  digest?: string;
  /** Contact details; absent where the brand is not available. */
  children?: ReactNode;
}

export function SomethingWentWrong({ digest, children }: SomethingWentWrongProps) {
  return (
    <div className="column py-12 sm:py-20">
      <title>Something went wrong</title>
      <h1 className="font-bold text-3xl sm:text-4xl">Sorry, something went wrong on our side</h1>
      <p className="mt-3 mb-8 sm:text-lg">What you've saved is safe. Please try again.</p>
      <Button onClick={() => window.location.reload()}>Try again</Button>
      {children}
      {digest && <p className="mt-6 text-ink-soft text-xs">If you contact us, quote {digest}.</p>}
    </div>
  );
}

/** True after a reload. A second reload is unlikely to help and could loop. */
function isReloaded(): boolean {
  return performance.getEntriesByType("navigation").some((entry) => "type" in entry && entry.type === "reload");
}

/**
 * A chunk can fail to load on a weak network, or because a deployment replaced it. Reloading the page fetches the current
 * chunks, so this reloads once. Returns whether it does.
 */
export function useReloadOnce(error: Error): boolean {
  const [reloads] = useState(() => error.name === "ChunkLoadError" && navigator.onLine && !isReloaded());
  useEffect(() => {
    if (reloads) window.location.reload();
  }, [reloads]);
  return reloads;
}
