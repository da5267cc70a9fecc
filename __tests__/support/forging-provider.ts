import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { listen } from "./tcp-server";

const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const [own, foreign] = [rsa(), rsa()];
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What a test replaces in the provider's answers. */
export interface Forgery {
  /** Answers of these paths, in place of the right ones. */
  answers?: Record<string, { status: number; text: string }>;
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  isOfAnotherKey?: boolean;
}

/** A sign-in provider that answers whatever a test makes it answer. `nonce` is the one with which the browser was sent to it. */
export async function startForgingProvider(clientId: string) {
  const now = () => Math.floor(Date.now() / 1000);
  const state = { nonce: "", forgery: {} as Forgery };
  let issuer = "";
  function idToken(): string {
    const { claims, header, isOfAnotherKey } = state.forgery;
    const genuine = { iss: issuer, aud: clientId, sub: "1", iat: now(), exp: now() + 300, nonce: state.nonce };
    const content = `${encoded({ alg: "RS256", kid: "1", ...header })}.${encoded({ ...genuine, ...claims })}`;
    const { privateKey } = isOfAnotherKey ? foreign : own;
    return `${content}.${createSign("RSA-SHA256").update(content).sign(privateKey, "base64url")}`;
  }
  const right: Record<string, () => object> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      code_challenge_methods_supported: ["S256"],
    }),
    "/keys": () => ({ keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }),
    "/token": () => ({ access_token: "access", token_type: "Bearer", id_token: idToken() }),
  };
  const server = createServer(({ url = "" }, response) => {
    const answer = state.forgery.answers?.[url];
    const type = { "content-type": "application/json" };
    if (answer) response.writeHead(answer.status, type).end(answer.text);
    else response.writeHead(right[url] ? 200 : 404, type).end(JSON.stringify(right[url]?.() ?? {}));
  });
  issuer = `http://127.0.0.1:${await listen(server)}`;
  return {
    issuer,
    state,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
