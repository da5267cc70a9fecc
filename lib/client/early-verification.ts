import type { Outdated } from "@/lib/domain/reviewed";
import { sourceKey, tokenKey } from "./browser-storage";

/** A response with its parsed body; null where the body is not JSON. */
export interface Answered {
  response: Response;
  answer: {
    success?: boolean;
    message?: string;
    errors?: Record<string, string>;
    data?: { step?: number } & Partial<Outdated>;
  } | null;
}

declare global {
  interface Window {
    earlyVerification?: { token: string; answered: Promise<Answered> };
  }
}

/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

const verificationUrl = "/api/v1/user/verify-token";

/** Inline script that sends verify-token for the stored token while the bundles are still loading. */
export const verificationScript = `try{
const token=localStorage.getItem("${tokenKey}"),source=localStorage.getItem("${sourceKey}")||"";
if(token){
const answered=fetch("${verificationUrl}",{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify({token,source}),signal:AbortSignal.timeout(${timeoutMilliseconds})}).then(async response=>({response,answer:await response.json().catch(()=>null)}));
answered.catch(()=>{});
earlyVerification={token,answered}
}}catch{}`;

/** That script's pending response, once. Undefined where it sent nothing, or another token. */
export function takeEarlyVerification(token: string): Promise<Answered> | undefined {
  const early = window.earlyVerification;
  window.earlyVerification = undefined;
  return early?.token === token ? early.answered : undefined;
}
