import { ForgottenScreen, UnauthorizedScreen } from "@/components/outcome/unauthorized-screen";
import { currentSettings } from "@/lib/server/settings";

export default async function UnauthorizedPage({ searchParams }: { searchParams: Promise<{ forgotten?: string }> }) {
  if ((await searchParams).forgotten !== undefined) return <ForgottenScreen />;
  const { sending } = currentSettings();
  return <UnauthorizedScreen sends={Boolean(sending.email || sending.sms)} />;
}
