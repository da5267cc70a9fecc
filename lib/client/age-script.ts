import { literal } from "./opening-script";

/**
 * Inline script of every page, in the syntax of 1999: tells a browser that cannot read the bundles (before iOS 15.4,
 * Chrome 98 or Firefox 94) what to do, where it would wait for them without end.
 */
export function ageScript(supportPhone: string): string {
  const told = `This browser is too old for your application. Open the link in our message on a newer phone or computer, or call us: ${supportPhone}`;
  return `if(!self.structuredClone){var p=document.createElement("p");p.className="page bg-accent-soft py-4 font-semibold";p.appendChild(document.createTextNode(${literal(told)}));document.body.insertBefore(p,document.body.firstChild)}`;
}
