/**
 * A refusal in words that an operator may read. Commands print the whole message; the desk shows the reason alone, because the
 * advice names a command. Every other error may quote personal data.
 */
export class Refusal extends Error {
  constructor(
    readonly reason: string,
    advice = "",
  ) {
    super(advice ? `${reason} ${advice}` : reason);
  }
}
