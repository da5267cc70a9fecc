"use client";

import dynamic from "next/dynamic";
import { FormLoading } from "./form-loading";
import { loadApplicationForm } from "./load-application-form";

/** The form's answers come with the session: the server renders none of it. */
export const LazyApplicationForm = dynamic(loadApplicationForm, { ssr: false, loading: FormLoading });
