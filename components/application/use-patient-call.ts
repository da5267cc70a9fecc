import { useCallback, useState } from "react";
import { useApplication } from "@/components/session/session-context";
import type { Answer } from "@/lib/client/api";
import { patiently } from "@/lib/client/patiently";

/** Makes a call as often as it sensibly may, says while it waits, and leaves when the link is no longer valid. */
export function usePatientCall() {
  const { reject } = useApplication();
  const [waiting, setWaiting] = useState(false);

  const make = useCallback(
    async <T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> => {
      const answer = await patiently(call, () => setWaiting(true));
      setWaiting(false);
      if (!answer.success && answer.status === 401) reject();
      return answer;
    },
    [reject],
  );
  return { make, waiting };
}
