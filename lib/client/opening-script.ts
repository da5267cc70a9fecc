import type { Handoff } from "@/lib/domain/handoff";
import { openPaths, pagePaths, storesSession, unauthorizedPath } from "@/lib/domain/journey";
import { timeoutMilliseconds, verificationUrl } from "./api";
import { referenceKey, replacedKey, sourceKey, tokenKey } from "./browser-storage";

/** Escapes '<': a token such as '</script>' must not end the inline script. */
const literal = (value: unknown) => JSON.stringify(value).replace(/</g, "\\u003c");

/** The 401 page and a 404 store nothing. The path of the review may be encoded. */
const stores = `${literal(pagePaths.filter(storesSession))}.includes(location.pathname.replace("%26","&"))`;

/** Without storage, another page would not find the session, so a tap on a link waits for client-side navigation. */
const holdTaps = "if(!opened.kept)document.onclick=e=>{opened.tapped=e.target.closest('a');return!opened.tapped}";

/**
 * Inline script of a page whose link was verified. It stores token and source before the first paint, so that the next page
 * finds the session even after a tap before hydration. An empty source removes the stored one.
 */
export function storeTokenScript({ token, source }: Handoff, reference: string): string {
  return `self.opened={token:${literal(token)},source:${literal(source)}};
try{if(${stores}){sessionStorage.removeItem("${tokenKey}");const s=localStorage,b=s.getItem("${referenceKey}");
if(b&&b!==${literal(reference)}&&s.getItem("${tokenKey}"))s.setItem("${replacedKey}",b);
s.setItem("${tokenKey}",opened.token);s.setItem("${referenceKey}",${literal(reference)});
opened.source?s.setItem("${sourceKey}",opened.source):s.removeItem("${sourceKey}");
opened.kept=s.getItem("${tokenKey}")===opened.token}}catch{}
${holdTaps}`;
}

/**
 * Inline script of a page whose link was refused. It removes the stored token if it is the refused one. The page keeps the
 * refused token in memory. On /un-authorized, which does not redirect, a fresh link can be requested with it.
 */
export function dropTokenScript(token: string): string {
  return `if(location.pathname==="${unauthorizedPath}")self.refused=${literal(token)};
else self.opened={token:${literal(token)},source:null};
try{for(const s of[sessionStorage,localStorage])if(s.getItem("${tokenKey}")===${literal(token)})for(const k of${literal([tokenKey, referenceKey, replacedKey])})s.removeItem(k)}catch{}`;
}

/**
 * Inline script of every other page. It sends verify-token while the bundles are still loading, for the token of a link that
 * the server could not verify, or else for the stored token. A link with only a source changes the stored source.
 * localStorage holds verified tokens only. The link's is in sessionStorage until then, so that a reload verifies it again.
 */
export function verifyTokenScript(link: Handoff | null): string {
  return `self.opened={token:${literal(link?.token ?? null)},source:${literal(link?.source ?? null)}};
try{const l=localStorage,t=sessionStorage;
if(opened.token){if(${stores}){t.setItem("${tokenKey}",opened.token);t.setItem("${sourceKey}",opened.source||"")}}
else{if(opened.source&&${stores})l.setItem("${sourceKey}",opened.source);
const s=t.getItem("${tokenKey}")?t:l;opened.token=s.getItem("${tokenKey}");opened.source=s.getItem("${sourceKey}");opened.kept=s===l}
}catch{}
if(opened.token&&!document.prerendering&&!${literal(openPaths)}.includes(location.pathname)){const{token,source}=opened,limit=new AbortController,{signal}=limit,
response=fetch("${verificationUrl}",{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify({token,source:source||""}),signal});
response.catch(()=>{});
setTimeout(()=>limit.abort(),${timeoutMilliseconds});
self.earlyVerification={token,response,signal}}`;
}

/**
 * Inline script of every page, in the syntax of ECMAScript 3. A browser without structuredClone (before iOS 15.4, Chrome 98 or Firefox
 * 94) cannot run the bundles and would wait for them forever, so the script shows the applicant what to do instead.
 */
export function oldBrowserScript(supportPhone: string): string {
  const message = `This browser is too old to open your application. Open the link in our message on a newer phone or computer, or call us: ${supportPhone}`;
  return `if(!self.structuredClone){var p=document.createElement("p");p.className="page bg-accent-soft py-4 font-semibold";p.appendChild(document.createTextNode(${literal(message)}));document.body.insertBefore(p,document.body.firstChild)}`;
}
