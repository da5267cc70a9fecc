import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useApplication } from "@/components/session/session-context";
import { isSubmitted } from "@/lib/domain/journey";

/** Returns the submitted application. Before submission, it returns null and redirects to the form. */
export function useOnlySubmitted() {
  const { application } = useApplication();
  const router = useRouter();
  const submitted = isSubmitted(application) ? application : null;
  const isDraft = submitted === null;
  useEffect(() => {
    if (isDraft) router.replace("/home");
  }, [isDraft, router]);
  return submitted;
}
