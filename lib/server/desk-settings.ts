import { z } from "zod";
import { isSafeForSecrets, listOf, optionalText, origin, whole } from "./setting-kinds";

/** Settings of the desk, the web page of the lender's staff. */
export const deskSettings = {
  DESK_PORT: whole(1, 65_535).default(3100).describe("the port of the desk"),
  DESK_HOST: z
    .union([z.ipv4(), z.ipv6(), z.hostname()], { error: "is not an IP address or a host name" })
    .default("127.0.0.1")
    .describe("the address on which the desk listens"),
  DESK_URL: origin
    .refine(isSafeForSecrets, "must begin with https://, because staff sign in there")
    .optional()
    .describe("the public address of the desk, such as `https://desk.lender.example`"),
  DESK_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, abort: true })
    .refine(isSafeForSecrets, "must be https, except on this machine")
    .optional()
    .describe("the OpenID Connect provider with which staff sign in to the desk"),
  DESK_OIDC_CLIENT_ID: optionalText.describe("the desk's client id at the provider"),
  DESK_OIDC_CLIENT_SECRET: optionalText.describe("its secret"),
  DESK_OIDC_GROUPS_CLAIM: z
    .string()
    .trim()
    .min(1)
    .default("groups")
    .describe("the claim of the ID token that lists a person's groups or app roles"),
  DESK_CLERKS: listOf(",").describe(
    "who may work at the desk: addresses, `@domain`, or names of groups, separated by commas",
  ),
  DESK_APPROVERS: listOf(",").describe("who may also decide, revoke, export and erase, named in the same way"),
};
