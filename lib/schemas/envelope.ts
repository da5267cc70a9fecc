import type { Messages } from "./check";

/** The body of every API response (docs/calls.md). */
export interface Envelope {
  success: boolean;
  data?: unknown;
  message?: string;
  errors?: Messages;
}
