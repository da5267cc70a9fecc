import { useLayoutEffect, useRef, useState } from "react";
import { type Opened, openedSession } from "@/lib/client/browser-storage";
import type { ApplicationAnswers, ApplicationView } from "@/lib/domain/application";
import type { StepNumber } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { editing, type FormState, isBusy, type MachineEvent, nextState } from "./form-machine";

type ApplyChanges = (
  changes: Partial<ApplicationView>,
  sent?: Partial<ApplicationAnswers>,
  text?: ShownConsent,
) => void;

/** What a form is doing, and the functions with which the form on screen shows it and applies the server's changes. */
interface Machine {
  state: FormState;
  /** Whether the form has fetched the server's state since the save under way was sent. The save's response may be older. */
  isResponseStale: boolean;
  show(state: FormState): void;
  applyChanges: ApplyChanges;
}

/** The machine of the last form, for each session that this page has opened. */
const machines = new WeakMap<Opened, Machine>();

/**
 * A form may unmount while its save is pending. The next form then takes over its machine: it stays busy until the response, and
 * shows the result. Otherwise the save could overwrite what is saved or undone in between.
 */
export function useMachine(step: StepNumber, applyChanges: ApplyChanges) {
  const [state, setState] = useState(() => editing(step));
  const [opened] = useState(openedSession);
  // A ref, because a second tap may come before the first has been rendered.
  const machine = useRef<Machine>({ state, isResponseStale: false, show: setState, applyChanges });
  const isMounted = useRef(true);

  useLayoutEffect(() => {
    const earlier = machines.get(opened);
    if (earlier && isBusy(earlier.state)) machine.current = earlier;
    machines.set(opened, machine.current);
    Object.assign(machine.current, { show: setState, applyChanges });
    setState(machine.current.state);
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
    isBusy: () => isBusy(machine.current.state),
    isMounted: () => isMounted.current,
    isResponseStale: () => machine.current.isResponseStale,
    setResponseStale(isResponseStale: boolean): void {
      machine.current.isResponseStale = isResponseStale;
    },
    send(event: MachineEvent): void {
      machine.current.state = nextState(machine.current.state, event);
      machine.current.show(machine.current.state);
    },
    applyChanges(...changes: Parameters<ApplyChanges>): void {
      if (isOwnSession()) machine.current.applyChanges(...changes);
    },
  };
}
