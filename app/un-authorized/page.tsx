import type { Metadata } from "next";
import { UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";

export const metadata: Metadata = { title: "Unauthorized Access" };

export default function UnauthorizedPage() {
  return <UnauthorizedScreen />;
}
