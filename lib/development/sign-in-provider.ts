import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { html } from "@/lib/server/templates/html";
import { approver, clerk } from "./staff";

const people: Record<string, string> = { [clerk]: "Casey, a clerk", [approver]: "Robin, an approver" };

const clientId = "rent-advance-desk";

/**
 * Starts an OpenID Connect provider on this machine, which lets a visitor be one of two people. It is for the demo and tests only.
 * Returns the settings with which the desk uses it.
 */
export async function openSignInProvider(deskUrl: string) {
  const secret = randomBytes(24).toString("base64url");
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        redirect_uris: [`${deskUrl}/desk/signed-in`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    // The desk reads the ID token alone.
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(24).toString("base64url")] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 3600, Session: 3600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/choose/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, email: sub, email_verified: true, name: people[sub] ?? sub }),
    }),
    // Nobody is asked for consent: the desk is the lender's own.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    // Asks at each sign-in who it is. A provider remembers the last person.
    if (context.path === "/auth") delete context.req.headers.cookie;
    const [, uid] = /^\/choose\/([\w-]+)$/.exec(context.path) ?? [];
    if (!uid) return next();
    const chosen = String(context.query.person ?? "");
    if (!(chosen in people)) {
      context.type = "html";
      context.body = choicePage();
      return;
    }
    const location = await provider.interactionResult(context.req, context.res, { login: { accountId: chosen } });
    context.redirect(location);
  });
  server.on("request", provider.callback());
  return {
    settings: {
      DESK_OIDC_ISSUER: issuer,
      DESK_OIDC_CLIENT_ID: clientId,
      DESK_OIDC_CLIENT_SECRET: secret,
      DESK_CLERKS: clerk,
      DESK_APPROVERS: approver,
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

function choicePage(): string {
  const links = Object.entries(people).map(
    ([address, name]) => html`<p><a href="?person=${encodeURIComponent(address)}">${name} (${address})</a></p>`,
  );
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Demo sign-in</title></head><body><h1>Who are you?</h1><p>The demo's sign-in stands in for the lender's own.</p>${links}</body></html>`
    .markup;
}
