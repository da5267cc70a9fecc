import { useLayoutEffect, useRef, useState } from "react";
import { type Opened, openedSession } from "@/lib/client/browser-storage";
import type { ApplicationAnswers, ApplicationView } from "@/lib/domain/application";
import type { StepNumber } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { editing, type FormState, type FormStateEvent, isBusy, nextState } from "./form-state";

type ApplyChanges = (
  changes: Partial<ApplicationView>,
  sent?: Partial<ApplicationAnswers>,
  text?: ShownConsent,
) => void;

/** What a form is doing, and the functions with which the form on screen shows it and applies the server's changes. */
interface LastingState {
  state: FormState;
  /** Whether the form has fetched the server's state since the save under way was sent. The save's response may be older. */
  isResponseStale: boolean;
  show(state: FormState): void;
  applyChanges: ApplyChanges;
}

/** The state of the last form, for each session that this page has opened. */
const lastingStates = new WeakMap<Opened, LastingState>();

/**
 * A form may unmount while its save is pending. The next form then takes over its state: it stays busy until the response, and
 * shows the result. Otherwise the save could overwrite what is saved or undone in between.
 */
export function useLastingState(step: StepNumber, applyChanges: ApplyChanges) {
  const [state, setState] = useState(() => editing(step));
  const [opened] = useState(openedSession);
  // A ref, because a second tap may come before the first has been rendered.
  const lasting = useRef<LastingState>({ state, isResponseStale: false, show: setState, applyChanges });
  const isMounted = useRef(true);

  useLayoutEffect(() => {
    const earlier = lastingStates.get(opened);
    if (earlier && isBusy(earlier.state)) lasting.current = earlier;
    lastingStates.set(opened, lasting.current);
    Object.assign(lasting.current, { show: setState, applyChanges });
    setState(lasting.current.state);
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  });

  /** False once the page has dropped its token. It may have opened another application since. */
  const isOwnSession = () => openedSession().token === opened.token;

  return {
    state,
    isOwnSession,
    isBusy: () => isBusy(lasting.current.state),
    isMounted: () => isMounted.current,
    isResponseStale: () => lasting.current.isResponseStale,
    setResponseStale(isResponseStale: boolean): void {
      lasting.current.isResponseStale = isResponseStale;
    },
    send(event: FormStateEvent): void {
      lasting.current.state = nextState(lasting.current.state, event);
      lasting.current.show(lasting.current.state);
    },
    applyChanges(...changes: Parameters<ApplyChanges>): void {
      if (isOwnSession()) lasting.current.applyChanges(...changes);
    },
  };
}
