import type { Metadata } from "next";
import { UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";
import { currentSettings } from "@/lib/server/env";

export const metadata: Metadata = { title: "Unauthorized Access" };

export default function UnauthorizedPage() {
  return <UnauthorizedScreen brand={currentSettings().brand} />;
}
