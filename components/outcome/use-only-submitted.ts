import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";

/** Returns the submitted application. Before submission, it returns null and redirects to the form. */
export function useOnlySubmitted() {
  const { application } = useApplication();
  const router = useRouter();
  const isSent = isSubmitted(application);
  useEffect(() => {
    if (!isSent) router.replace("/home");
  }, [isSent, router]);
  return isSent ? application : null;
}
