import { agent, consent, landlord, lease } from "./answers";
import { type Invitation, invite } from "./journey";

const calls = [
  ["submit-step-1", landlord],
  ["submit-step-2", agent],
  ["submit-step-3", lease],
  ["submit-final", consent],
] as const;

/** An invitation with the first `done` steps saved; 4 is submitted. */
export async function invitedAtStage(done: 0 | 1 | 2 | 3 | 4, ...flags: string[]): Promise<Invitation> {
  const invitation = await invite("--mobile", landlord.mobile, ...flags);
  for (const [path, data] of calls.slice(0, done)) {
    const response = await fetch(`${process.env.APP_URL}/api/v1/user/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: invitation.token, data }),
    });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
  }
  return invitation;
}
