import { useEffect, useRef } from "react";

/** A save that found no network is made again once there is one, unless the person has typed on since. */
export function useResumedSaving(isUnreached: boolean, latest: { readonly current: unknown }, save: () => void): void {
  const saveAgain = useRef(save);
  useEffect(() => {
    saveAgain.current = save;
  });

  useEffect(() => {
    if (!isUnreached) return;
    const attempted = latest.current;
    const resume = () => {
      if (latest.current === attempted) saveAgain.current();
    };
    window.addEventListener("online", resume);
    return () => window.removeEventListener("online", resume);
  }, [isUnreached, latest]);
}
