import { UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";
import { currentSettings } from "@/lib/server/settings";

export default function UnauthorizedPage() {
  const { brand, sending } = currentSettings();
  return <UnauthorizedScreen brand={brand} sends={Boolean(sending.email || sending.sms)} />;
}
