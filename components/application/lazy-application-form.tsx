"use client";

import dynamic from "next/dynamic";
import { FormLoading } from "./form-loading";

const load = () => import("./application-form");

/** The form as its own file, which no other screen loads. Its answers come with the session: the server renders none. */
export const LazyApplicationForm = dynamic(load, { ssr: false, loading: FormLoading });

/** For the screen before: the form's code is there when the person arrives. */
export function prefetchForm(): void {
  load().catch(() => undefined);
}
