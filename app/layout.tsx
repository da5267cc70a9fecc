import { Gate } from "@/components/session/gate";
import type { Session } from "@/components/session/session-context";
import { SessionProvider } from "@/components/session/session-provider";
import { BenefitsBar } from "@/components/site/benefits-bar";
import { BrandProvider } from "@/components/site/brand-context";
import { Footer } from "@/components/site/footer";
import { Header } from "@/components/site/header";
import { FormAhead } from "@/components/steps/form-ahead";
import { storageScript } from "@/lib/client/browser-storage";
import { verificationScript } from "@/lib/client/early-verification";
import { toView } from "@/lib/server/applications/to-view";
import { type Arrival, arrivalOf } from "@/lib/server/calls/arrival";
import { currentSettings } from "@/lib/server/env";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";

export async function generateMetadata(): Promise<Metadata> {
  const { brand } = currentSettings();
  return {
    title: { default: `${brand.product} by ${brand.name}`, template: `%s – ${brand.product}` },
    robots: { index: false, follow: false },
    // Numbers on these pages are the applicant's; a phone browser must not turn them into links.
    formatDetection: { telephone: false, email: false, address: false },
  };
}

export const viewport: Viewport = { themeColor: "#0b5c4b" };

function sessionOf(arrival: Arrival): Session {
  if (arrival.state === "refused") return { state: "unauthorized" };
  if (arrival.state === "unknown") return { state: "loading" };
  const application = toView(arrival.row);
  const { keep } = arrival;
  return { state: "authenticated", application, source: keep.source ?? application.source };
}

/** What the page does before its own scripts have come: keep what the link carried, and verify what was kept before. */
function openingScript({ state, keep }: Exclude<Arrival, { state: "refused" }>): string {
  return [keep && storageScript(keep), state === "unknown" && verificationScript].filter(Boolean).join(";");
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // A nonce needs every page rendered for its request.
  await connection();
  const requestHeaders = await headers();
  const arrival = await arrivalOf(requestHeaders);
  const { brand } = currentSettings();
  return (
    <html lang="en">
      <body>
        {arrival.state !== "refused" && (
          <script
            nonce={requestHeaders.get("x-nonce") ?? undefined}
            suppressHydrationWarning
            // Not user content: two keys and their values, written by storageScript, and a script of ours.
            dangerouslySetInnerHTML={{ __html: openingScript(arrival) }}
          />
        )}
        <BrandProvider value={brand}>
          <SessionProvider initial={sessionOf(arrival)}>
            <Header brand={brand} />
            <main id="main" tabIndex={-1}>
              {/* Inside, so that the page as a whole stays put when the bar comes with a new path. */}
              <BenefitsBar brand={brand} />
              <Gate>{children}</Gate>
              <FormAhead />
            </main>
            <Footer brand={brand} year={new Date().getFullYear()} />
          </SessionProvider>
        </BrandProvider>
      </body>
    </html>
  );
}
