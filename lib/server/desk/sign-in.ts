import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { z } from "zod";
import { currentSettings } from "@/lib/server/settings";
import type { Claims } from "./rights";

const providerTimeoutSeconds = 5;
/** A longer name of a person is cut. */
const maxName = 200;

/** Kept in a cookie of the browser that signs in, until it comes back from the provider. */
const attemptSchema = z.strictObject({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });
export type Attempt = z.infer<typeof attemptSchema>;

/** The address to which the provider sends the browser back. */
const redirectAddress = () => `${currentSettings().deskUrl}/desk/signed-in`;

/** Asks the provider each time: with a stored answer, a person would be sent to a provider that is down. */
async function provider(): Promise<Configuration> {
  const { DESK_OIDC_ISSUER = "", DESK_OIDC_CLIENT_ID = "", DESK_OIDC_CLIENT_SECRET } = currentSettings();
  return discovery(new URL(DESK_OIDC_ISSUER), DESK_OIDC_CLIENT_ID, DESK_OIDC_CLIENT_SECRET, undefined, {
    timeout: providerTimeoutSeconds,
    // Verifies the ID token's signature as well, although it comes from the provider itself. The settings accept http for this
    // machine only.
    execute: [enableNonRepudiationChecks, ...(DESK_OIDC_ISSUER.startsWith("http:") ? [allowInsecureRequests] : [])],
  });
}

/** Begins a sign-in by the code flow with PKCE. Rejects if the provider does not answer. */
export async function beginSignIn(to: string): Promise<{ location: string; attempt: Attempt }> {
  const config = await provider();
  const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), to: deskPath(to) };
  const location = buildAuthorizationUrl(config, {
    redirect_uri: redirectAddress(),
    scope: "openid email profile",
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  return { location: location.href, attempt };
}

/** Exchanges the code for the person's claims. Rejects if state, nonce, issuer or code are not those of this attempt. */
export async function finishSignIn(query: string, attempt: Attempt): Promise<Claims & { by: string }> {
  const { state, nonce, verifier } = attempt;
  const tokens = await authorizationCodeGrant(await provider(), new URL(`${redirectAddress()}${query}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims: Record<string, unknown> = tokens.claims() ?? {};
  const text = (name: string) => String(claims[name] ?? "");
  const verifiedEmail = claims.email_verified === true ? text("email") : "";
  const groups = z.array(z.string()).catch([]).parse(claims[currentSettings().DESK_OIDC_GROUPS_CLAIM]);
  // Anybody can type somebody else's address into a profile. A name that only the provider assigns stands in for it.
  const by = (verifiedEmail || text("preferred_username") || text("sub")).slice(0, maxName);
  return { by, verifiedEmail, groups };
}

export function readAttempt(text: string | undefined): Attempt | null {
  try {
    return attemptSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return null;
  }
}

/** A path of the desk with its query. Anything else, such as the address of another site, becomes the list. */
export function deskPath(path: string): string {
  return /^\/desk(\/(?!\/)[\w/.~%-]*)?(\?[^\\#]*)?$/.test(path) ? path : "/desk";
}
