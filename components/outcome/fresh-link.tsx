"use client";

import { useState } from "react";
import { askForFreshLink, refusedToken } from "@/lib/client/api";
import { AskButton } from "./ask-button";

/** In place of the link that this page was refused with; nothing where the page was opened without one. */
export function FreshLink({ className }: { className: string }) {
  const [token] = useState(refusedToken);
  if (!token) return null;
  return (
    <section aria-labelledby="fresh-link" className={className}>
      <h2 id="fresh-link" className="font-semibold text-lg">
        Has your link run out?
      </h2>
      <p className="mt-1 mb-3 text-ink-soft">
        We can send a fresh one to the number or address we invited. What you saved is still there.
      </p>
      <AskButton label="Send me a fresh link" ask={() => askForFreshLink(token)}>
        <p className="font-semibold">
          If the link was ours, a fresh one is on its way to the number or address we invited.
        </p>
        <p className="mt-1">
          It takes a minute or two, and may be among unwanted mail. If nothing comes, call or write to us.
        </p>
      </AskButton>
    </section>
  );
}
