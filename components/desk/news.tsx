"use client";

import { useEffect, useState } from "react";

const everyMs = 15_000;

interface NewsProps {
  since: string;
  /** How many submissions since then the list knew of. */
  known: number;
}

/** Announces submissions since the list was read. It lies over the page, so that what is read does not move. */
export function News({ since, known }: NewsProps) {
  const [count, setCount] = useState(0);
  useEffect(() => {
    async function ask() {
      if (document.hidden) return;
      const answer = await fetch(`/desk/news?${new URLSearchParams({ since })}`).catch(() => null);
      if (answer?.ok) setCount((await answer.json()).count - known);
    }
    const timer = setInterval(ask, everyMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [since, known]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-4 flex justify-center print:hidden">
      {count > 0 && (
        <p className="pointer-events-auto rounded-lg border border-accent bg-accent-soft px-4 py-2.5 shadow-lg">
          {`${count} new ${count === 1 ? "submission" : "submissions"}. `}
          {/* A plain link, because Next's would not load the page that is shown already. */}
          <a href="/desk" className="link font-semibold">
            {count === 1 ? "Show it" : "Show them"}
          </a>
        </p>
      )}
    </div>
  );
}
