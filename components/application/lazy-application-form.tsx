"use client";

import { useEffect, useState } from "react";
import { FormLoading } from "./form-loading";
import { loadApplicationForm, loadedApplicationForm } from "./load-application-form";

/** The form's answers come with the session, so the server renders none of it: it is loaded here, or has been. */
export function LazyApplicationForm() {
  const [Form, setForm] = useState(loadedApplicationForm);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    loadApplicationForm().then((form) => setForm(() => form), setFailure);
  }, []);
  // For app/error.tsx, which offers another try.
  if (failure) throw failure;
  return Form ? <Form /> : <FormLoading />;
}
