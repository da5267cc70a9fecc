import { StopScreen } from "@/components/outcome/stop-screen";
import { isStopCode } from "@/lib/server/messages/suppressions";

interface StopPageProps {
  searchParams: Promise<{ code?: string | string[] }>;
}

/** Opening this page changes nothing, because mail scanners open links too. */
export default async function StopPage({ searchParams }: StopPageProps) {
  const { code } = await searchParams;
  return <StopScreen hasCode={isStopCode(code)} />;
}
