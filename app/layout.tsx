import { SubmittedScreens } from "@/components/application/review/submitted-screens";
import { FormPreloader } from "@/components/application/steps/form-preloader";
import { BenefitsBar } from "@/components/session/benefits-bar";
import { Gate } from "@/components/session/gate";
import { type Session, SessionProvider } from "@/components/session/session-context";
import { BrandProvider, LendersDay } from "@/components/site/brand-context";
import { Footer } from "@/components/site/footer";
import { Header } from "@/components/site/header";
import { NoScript } from "@/components/site/no-script";
import { Styles } from "@/components/site/styles";
import { WebVitals } from "@/components/site/web-vitals";
import { dropTokenScript, oldBrowserScript, storeTokenScript, verifyTokenScript } from "@/lib/client/opening-script";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import { dayIn } from "@/lib/domain/zone-time";
import { toView } from "@/lib/server/applications/to-view";
import { type Arrival, resolveArrival } from "@/lib/server/http/arrival";
import { currentSettings } from "@/lib/server/settings";
import { light } from "@/lib/server/templates/html";
// Imported here so that they are part of every page's script. As separate chunks, each would cost a request.
import "./error";
import "./global-error";
import "./site.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { connection } from "next/server";
import type { ReactNode } from "react";

export const metadata: Metadata = {
  icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
  // Stops phone browsers from turning the applicant's own numbers and addresses into links.
  formatDetection: { telephone: false, email: false, address: false, date: false },
};

export const viewport: Viewport = { themeColor: light.brand };

function sessionOf(arrival: Arrival): Session {
  if (arrival.state === "refused") return { state: "unauthorized" };
  if (arrival.state === "unknown") return { state: "loading" };
  return { state: "authenticated", application: toView(arrival.row), source: arrival.keep.source };
}

/** Inline script that runs before the bundles load. */
function openingScript(arrival: Arrival): string {
  if (arrival.state === "refused") return dropTokenScript(arrival.token);
  return arrival.state === "verified"
    ? storeTokenScript(arrival.keep, arrival.row.reference)
    : verifyTokenScript(arrival.keep);
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The CSP nonce differs per request, so no page may be prerendered.
  await connection();
  const requestHeaders = await headers();
  const arrival = await resolveArrival(requestHeaders);
  const { brand, METRICS_PORT } = currentSettings();
  const nonce = requestHeaders.get("x-nonce") ?? undefined;
  return (
    <html lang="en">
      <body>
        <Styles />
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: oldBrowserScript(brand.supportPhone) }}
        />
        <script
          nonce={nonce}
          suppressHydrationWarning
          // This is our own script, not user content. The token and the source are escaped.
          dangerouslySetInnerHTML={{ __html: openingScript(arrival) }}
        />
        <BrandProvider value={brand}>
          <LendersDay value={dayIn(new Date(), brand)}>
            <NoScript />
            <SessionProvider
              initial={sessionOf(arrival)}
              reportsOpening={arrival.state === "verified" && !arrival.isOpened}
            >
              <Header brand={brand} />
              <main id="main" tabIndex={-1}>
                {/* The bar is inside the main column, so that the page does not shift when it appears on a new path. */}
                <BenefitsBar maximum={formatCents(maximumAdvance, brand)} />
                <Gate>
                  <SubmittedScreens>{children}</SubmittedScreens>
                </Gate>
                <FormPreloader />
              </main>
              <Footer brand={brand} />
              {METRICS_PORT && <WebVitals />}
            </SessionProvider>
          </LendersDay>
        </BrandProvider>
      </body>
    </html>
  );
}
