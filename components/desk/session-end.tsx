"use client";

import { useCallback, useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

interface SessionEndProps {
  /** When the session ends, as the server knew it when it rendered the page. */
  endsAt: string;
  /** Both return the milliseconds until the session ends. Only the second one counts as use. */
  askTimeLeft: () => Promise<number>;
  staySignedIn: () => Promise<number>;
}

const warningMs = 120_000;
/** While a session is ended, another tab may sign in again. */
const askAgainMs = 20_000;
type Phase = "signed-in" | "ending" | "ended";

const phaseOf = (left: number): Phase => (left <= 0 ? "ended" : left <= warningMs ? "ending" : "signed-in");

/**
 * Offers to stay two minutes before the session ends, and says so once it has. Another tab may have extended it, so the server
 * is asked before anything is said.
 */
export function SessionEnd({ endsAt, askTimeLeft, staySignedIn }: SessionEndProps) {
  const [phase, setPhase] = useState<Phase>("signed-in");
  const [end, setEnd] = useState(() => Date.parse(endsAt));
  const [cannotStay, setCannotStay] = useState(false);

  const learn = useCallback((left: number) => {
    setEnd(Date.now() + left);
    setPhase(phaseOf(left));
  }, []);

  useEffect(() => {
    // A request that fails says nothing about the session.
    const ask = () => void askTimeLeft().then(learn, () => {});
    const left = end - Date.now();
    const wait = phase === "ended" ? askAgainMs : phase === "ending" ? left : left - warningMs;
    const timer = setTimeout(ask, Math.max(1000, wait));
    const onReturn = () => document.visibilityState === "visible" && phaseOf(end - Date.now()) !== "signed-in" && ask();
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, [end, phase, askTimeLeft, learn]);

  async function stay() {
    const left = await staySignedIn().catch(() => null);
    if (left === null) return;
    learn(left);
    setCannotStay(left > 0 && left <= warningMs);
  }

  return (
    <div role="status" className={phase === "signed-in" ? "" : "border-line border-t bg-accent-soft py-2"}>
      {phase === "ending" && (
        <div className="desk flex flex-wrap items-center gap-x-6 gap-y-2">
          <p>
            {cannotStay
              ? "You will be signed out in two minutes, because nobody stays signed in for more than eight hours. Then sign in again in another tab; what you typed here stays."
              : "You will be signed out in two minutes."}
          </p>
          {!cannotStay && <Button onClick={stay}>Stay signed in</Button>}
        </div>
      )}
      {phase === "ended" && (
        <p className="desk">
          You have been signed out.{" "}
          <a className="link" href="/desk/sign-in" target="_blank" rel="noopener">
            Sign in again in another tab
          </a>
          ; what you typed here stays.
        </p>
      )}
    </div>
  );
}
