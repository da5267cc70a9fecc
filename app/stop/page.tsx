import { StopScreen } from "@/components/outcome/stop-screen";
import { isStopCode } from "@/lib/server/outbox/suppressions";

/** Opening this page changes nothing, because mail scanners open links too. */
export default async function StopPage({ searchParams }: { searchParams: Promise<{ code?: string | string[] }> }) {
  const { code } = await searchParams;
  return <StopScreen hasCode={isStopCode(code)} />;
}
