import { ForgottenScreen, UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";
import { currentSettings } from "@/lib/server/settings";

export default async function UnauthorizedPage({ searchParams }: { searchParams: Promise<{ forgotten?: string }> }) {
  const { brand, sending } = currentSettings();
  if ((await searchParams).forgotten !== undefined) return <ForgottenScreen brand={brand} />;
  return <UnauthorizedScreen brand={brand} sends={Boolean(sending.email || sending.sms)} />;
}
