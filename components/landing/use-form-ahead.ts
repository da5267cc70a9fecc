import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { loadApplicationForm } from "@/components/application/load-application-form";

/** Fetches the form while the landing is read, so that it opens at once; the landing itself comes first. */
export function useFormAhead(path: string): void {
  const router = useRouter();
  useEffect(() => {
    const load = () => {
      router.prefetch(path);
      // Where it fails, the form's own screen loads it again and tells.
      loadApplicationForm().catch(() => undefined);
    };
    // Safari has no idle callback.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(load, 1000);
      return () => clearTimeout(timer);
    }
    const idle = window.requestIdleCallback(load);
    return () => window.cancelIdleCallback(idle);
  }, [router, path]);
}
