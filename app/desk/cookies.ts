import { currentSettings } from "@/lib/server/settings";

const isSecure = () => currentSettings().deskUrl.startsWith("https:");
/** Browsers accept a __Host- cookie only over https and from this exact host, so a sibling domain cannot set one. */
const named = (name: string) => (isSecure() ? `__Host-${name}` : name);

export const sessionCookie = () => named("desk-session");
export const attemptCookie = () => named("desk-sign-in");

/** Lax, because the browser comes back from the provider's site. */
export const cookieOptions = () => ({ httpOnly: true, sameSite: "lax", secure: isSecure(), path: "/" }) as const;
