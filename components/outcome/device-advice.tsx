"use client";

import Link from "next/link";
import { useState } from "react";
import { useForgetDevice } from "@/components/session/forget-device";
import { useSession } from "@/components/session/session-context";
import { useInBrowser } from "@/components/ui/use-in-browser";
import { requestFreshLink } from "@/lib/client/api";
import { inspectDevice } from "@/lib/client/device";
import { draftDays } from "@/lib/client/draft-expiry";
import { RequestButton } from "./request-button";

/** Explains what on this device may have kept a page from opening. */
export function DeviceAdvice() {
  return useInBrowser() && <Advice />;
}

function Advice() {
  const { session } = useSession();
  const [{ cookies, storage, token, drafts }] = useState(inspectDevice);
  const { button, panel } = useForgetDevice("Forget this device");
  // A link to this page itself can carry a token. If that token is valid, the page stays and links to the application.
  const isLinkValid = session.state === "authenticated";

  return (
    <div className="grid gap-4 empty:hidden *:mt-6 *:border-accent *:border-l-4 *:pl-4">
      {!cookies && (
        <section aria-labelledby="cookies">
          <h2 id="cookies" className="font-semibold text-lg">
            Cookies are turned off
          </h2>
          <p className="mt-1">
            Our links need cookies to open. Turn on cookies for this site in your browser's settings, or copy the link
            into another browser. Then open it again.
          </p>
        </section>
      )}
      {cookies && !storage && !isLinkValid && (
        <p>
          This browser isn't saving anything on this device. To carry on, open the link in our message again. What you
          saved with Next is still there.
        </p>
      )}
      {(token || isLinkValid) && (
        <p>
          {isLinkValid ? "Your link works." : "You still have an application open on this device."}{" "}
          <Link prefetch={false} href="/" className="link inline-block py-2.5 font-semibold">
            {isLinkValid ? "Go to your application" : "Continue"}
          </Link>
        </p>
      )}
      {drafts && !token && !isLinkValid && (
        <div className="grid grid-cols-1 justify-items-start gap-3">
          <p>
            What you typed stays on this device for up to {draftDays} days. A new link to the same application will
            bring it back.
          </p>
          {button}
          {panel}
        </div>
      )}
    </div>
  );
}

/** Offers a new link in place of the refused one. Renders nothing if the page was opened without a link. */
export function FreshLink() {
  // The server does not know the refused token, and hydration must find the markup that the server has rendered.
  const token = useInBrowser() && window.refused;
  if (!token) return null;
  return (
    <div className="mb-4">
      <p className="mb-3">We can send a new one to the mobile or email we first contacted.</p>
      <RequestButton label="Send me a new link" request={() => requestFreshLink(token)}>
        <p className="font-semibold">
          If the link was ours, a new one is on its way to the mobile or email we first contacted.
        </p>
        <p className="mt-1">
          It may take a minute or two to arrive, and may land in your spam folder. We send at most one in 24 hours, so
          if you've asked since this time yesterday, use the one we sent. If we've sent you a newer link than this one,
          use that. If nothing arrives, call or email us.
        </p>
      </RequestButton>
    </div>
  );
}
