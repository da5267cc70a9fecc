import { onWindow } from "./window-events";

/** Resolves once the press that is under way has ended, and its click has been handled. */
let released: Promise<void> | undefined;

/** What ends a press. A menu, a select's list or another window may take the mouseup. */
const ends = ["mouseup", "dragend", "contextmenu", "keydown", "change", "blur", "mousemove"];

function untilReleased(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onWindow(ends, (event) => {
      if (event.type === "mousemove" && (event as MouseEvent).buttons > 0) return;
      stop();
      // The click follows the release in the same task.
      setTimeout(() => {
        released = undefined;
        resolve();
      });
    });
  });
}

/** Follows the presses of the mouse. A tap has mouse events too, and moves the focus with them. */
export function followPresses(): () => void {
  return onWindow(["mousedown"], (event) => {
    if ((event as MouseEvent).button === 0) released ??= untilReleased();
  });
}

/**
 * Resolves once nothing is being pressed. What moves the page when a field is left has to wait for this: the press that left the
 * field would end on another target, and its click would be lost.
 */
export const afterPress = (): Promise<void> => released ?? Promise.resolve();
