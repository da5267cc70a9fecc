import { DeskHeader } from "@/components/desk/desk-header";
import { SessionEnd } from "@/components/desk/session-end";
import { BrandProvider } from "@/components/site/brand-context";
import { stylesheetAddress } from "@/components/site/inline-styles.mjs";
import { SkipLink } from "@/components/site/skip-link";
import { Styles } from "@/components/site/styles";
import { currentSettings } from "@/lib/server/settings";
import { light } from "@/lib/server/templates/html";
import { personHere } from "./desk/guard";
import { askTimeLeft, staySignedIn } from "./desk/session-actions";
import { signOut } from "./desk/sign-out";
import "./desk/desk.css";
import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";

export function generateMetadata(): Metadata {
  const { brand } = currentSettings();
  return {
    title: { template: `%s – ${brand.name} desk`, default: `${brand.name} desk` },
    icons: { icon: { url: "/icon.svg", type: "image/svg+xml" } },
    formatDetection: { telephone: false, email: false, address: false, date: false },
  };
}

export const viewport: Viewport = { themeColor: light.brand };

export default async function DeskLayout({ children }: { children: ReactNode }) {
  // The CSP nonce differs per request, so no page may be prerendered.
  await connection();
  const { brand } = currentSettings();
  // While the database is away, the page fails inside this layout, which then shows nobody.
  const person = await personHere().catch(() => null);
  return (
    <html lang="en">
      <body>
        <Styles address={stylesheetAddress} />
        <BrandProvider value={brand}>
          <SkipLink />
          <DeskHeader brand={brand} person={person} signOut={signOut}>
            {person && (
              <SessionEnd endsAt={person.endsAt.toISOString()} askTimeLeft={askTimeLeft} staySignedIn={staySignedIn} />
            )}
          </DeskHeader>
          <main id="main" tabIndex={-1}>
            {children}
          </main>
        </BrandProvider>
      </body>
    </html>
  );
}
