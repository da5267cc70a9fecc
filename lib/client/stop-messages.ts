import { ask } from "./api";

/** With the code in this page's address, which the message carried. */
export function stopMessages() {
  return ask(`/api/messages/stop${window.location.search}`, {}, "We could not stop them");
}
