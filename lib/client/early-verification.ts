import { sourceKey, tokenKey } from "./browser-storage";

/** An answer with its body read: null where that is no JSON. */
export interface Answered {
  response: Response;
  answer: { success?: boolean; message?: string; errors?: Record<string, string>; data?: { step?: number } } | null;
}

declare global {
  interface Window {
    earlyVerification?: { token: string; answered: Promise<Answered> };
  }
}

/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

const verificationUrl = "/api/v1/user/verify-token";

/** A script of the page itself: it begins to verify the stored token while the scripts that go on from there are on their way. */
export const verificationScript = `try{
const token=localStorage.getItem("${tokenKey}"),source=localStorage.getItem("${sourceKey}")||"";
if(token){
const answered=fetch("${verificationUrl}",{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify({token,source}),signal:AbortSignal.timeout(${timeoutMilliseconds})}).then(async response=>({response,answer:await response.json().catch(()=>null)}));
answered.catch(()=>{});
earlyVerification={token,answered}
}}catch{}`;

/** The answer on its way to what that script asked, once; undefined where it asked nothing, or for another token. */
export function takeEarlyVerification(token: string): Promise<Answered> | undefined {
  const early = window.earlyVerification;
  window.earlyVerification = undefined;
  return early?.token === token ? early.answered : undefined;
}
