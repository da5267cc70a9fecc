"use client";

import { type ComponentProps, type ReactNode, useActionState, useEffect, useId, useRef, useState } from "react";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";

/** What an action of the desk returns: what was done, or why it was refused. */
export type ActionResult = { done: string } | { refused: string } | null;

interface ActionFormProps {
  action: (before: ActionResult, form: FormData) => Promise<ActionResult>;
  /** The button's name says what it does. */
  button: string;
  /** What the button is about, for screen readers, where a page has several of that name. */
  about?: string;
  variant?: ComponentProps<typeof Button>["variant"];
  /** Hides the button and its fields, because there is nothing left to do. The last result stays. */
  isDone?: boolean;
  /** Fields, hidden ones included. What is typed stays when the action is refused. */
  children?: ReactNode;
}

/** A form with one button that runs an action, and says below it what came of it. */
export function ActionForm({ action, button, about, variant = "secondary", isDone, children }: ActionFormProps) {
  const [result, run, isPending] = useActionState(action, null);
  const form = useRef<HTMLFormElement>(null);
  const [isPast, setIsPast] = useState(false);
  // After another form was sent, this one's result may no longer be true.
  useEffect(() => {
    const onSubmit = (event: SubmitEvent) => setIsPast(event.target !== form.current);
    document.addEventListener("submit", onSubmit);
    return () => document.removeEventListener("submit", onSubmit);
  }, []);
  const id = useId();
  const isRefused = result !== null && "refused" in result;
  return (
    <form
      ref={form}
      action={run}
      aria-describedby={id}
      onReset={(event) => isRefused && event.preventDefault()}
      onSubmit={(event) => isPending && event.preventDefault()}
      className="grid gap-3 not-has-[button]:has-[>:last-child:empty]:hidden"
    >
      {!isDone && (
        <>
          {children}
          <div>
            <Button type="submit" variant={variant}>
              {button}
              {about && <span className="sr-only">{` ${about}`}</span>}
            </Button>
          </div>
        </>
      )}
      <div id={id} role={isRefused ? "alert" : "status"} className="empty:-mt-3">
        {result && !isPast && (
          <Banner tone={isRefused ? "error" : "done"} isAnnounced>
            {isRefused ? result.refused : result.done}
          </Banner>
        )}
      </div>
    </form>
  );
}
