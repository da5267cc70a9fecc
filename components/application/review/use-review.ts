import { useFormik } from "formik";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { withRetries } from "@/components/application/saving/save-step";
import type { Form } from "@/components/application/saving/use-form";
import { submitFinal } from "@/lib/client/api";
import { forgetDraft } from "@/lib/client/browser-storage";
import { announceDraftChange } from "@/lib/client/draft-storage";
import { openPage } from "@/lib/client/open-page";
import { onWindow } from "@/lib/client/window-events";
import { type ConsentAnswers, namesOf } from "@/lib/domain/application";
import { type AnswerStep, reviewStep, successPath } from "@/lib/domain/journey";

/** The time in which a second tap may belong to the first. */
const doubleTapMs = 700;

/** The form of a review. Formik holds the consent and runs the submission. */
export function useReview(form: Form) {
  const { application, reviewed, saved, send } = form;
  const { reference, version } = application;
  const [undone, setUndone] = useState<AnswerStep[]>([]);
  const undoneAt = useRef(Number.NEGATIVE_INFINITY);
  const [initial] = useState(() => {
    const shown = { ...saved, ...form.draftOver(saved).answers };
    return Object.fromEntries(namesOf(reviewStep).map((name) => [name, shown[name]])) as ConsentAnswers;
  });

  const isSecondTap = () => performance.now() - undoneAt.current < doubleTapMs;

  /** Submits the application and goes to the thank-you page. A second tap does nothing, because the form is busy. */
  async function submit(consent: ConsentAnswers): Promise<void> {
    // Something may have been typed in another tab since the last render.
    if (form.unsavedNow().length > 0) return announceDraftChange();
    if (form.isBusy() || isSecondTap()) return;
    send({ type: "start", step: reviewStep });
    // Taken from the render whose button was pressed, because the session may hold newer answers when the call returns.
    const read = { answers: version, consent: reviewed.consent.hash };
    const result = await withRetries((token) => submitFinal({ ...consent, reviewed: read }, token), form);
    if (!result.success) {
      if (result.outdated) form.applyChanges(result.outdated.application, {}, result.outdated.consent);
      return form.fail(result);
    }
    send({ type: "done" });
    forgetDraft(reference);
    if (!form.isOwnSession()) return;
    // Not by the router: it would fetch the thank-you page, and show whatever the network answers if that fails.
    openPage(successPath, "replaceState");
    // The specification (section 7) requires no data in the response.
    form.update({ ...consent, status: "submitted", ...result.data });
  }

  const { values, setValues, submitForm } = useFormik({ initialValues: initial, onSubmit: submit });
  const isUnsent = form.state.step === reviewStep && form.state.failed?.failure.noResponse === "offline";
  const resume = useEffectEvent(() => {
    if (isUnsent) void submitForm();
  });
  useEffect(() => onWindow(["online"], () => resume()), []);

  return {
    consent: values,
    change(consent: ConsentAnswers): void {
      form.writeToDraft(consent);
      // What was pressed offline was another consent.
      if (isUnsent) send({ type: "dismiss" });
      void setValues(consent, false);
    },
    submit: submitForm,
    /** Whether a tap may be the second one of a double tap on Undo, whose button has gone. It may reach Back or Submit. */
    isSecondTap,
    undone: undone.filter((step) => !form.unsaved.includes(step)),
    undo(step: AnswerStep): void {
      undoneAt.current = performance.now();
      form.undo(step);
      setUndone([...undone, step]);
    },
  };
}
