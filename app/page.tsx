import { Landing } from "@/components/landing/landing";
import { currentSettings } from "@/lib/server/settings";

export default function LandingPage() {
  return <Landing brand={currentSettings().brand} />;
}
