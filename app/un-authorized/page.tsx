import type { Metadata } from "next";
import { UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";
import { currentSettings } from "@/lib/server/env";

export const metadata: Metadata = { title: "No access" };

export default function UnauthorizedPage() {
  return <UnauthorizedScreen brand={currentSettings().brand} />;
}
