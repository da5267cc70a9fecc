import type { Brand } from "@/lib/brand";
import { invitationCommand } from "./invitation-command";
import { escaped, linked } from "./markup";
import type { Received } from "./received";
import { style } from "./style";

const channels = { email: "Email", sms: "SMS", webhook: "Webhook" };

/** Styles are allowed inline because emails bring theirs. The frames of emails inherit this policy: no script but the page's. */
export function pagePolicy(nonce: string): string {
  return `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** Once more within the frame, and narrower: the page's script has no place there. */
const framePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Puts what is new on top, so that what somebody has unfolded stays so. */
const script = `
const list = document.querySelector("ol");
setInterval(async () => {
  const newest = list.firstElementChild?.id.slice(1) ?? 0;
  const answer = await fetch("/since?number=" + newest).catch(() => null);
  document.body.classList.toggle("away", !answer?.ok);
  if (answer?.ok) list.insertAdjacentHTML("afterbegin", await answer.text());
}, 1000);`;

export function page(received: Received[], brand: Brand, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox of the demo</title>
<style>${style}</style>
</head>
<body>
<div class="top"><div class="page"><svg viewBox="0 0 32 32" fill="none" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#0b5c4b"/><path d="M6.5 10.5h19v12h-19zl9.5 7 9.5-7" stroke="#fff" stroke-width="2.25" stroke-linejoin="round"/></svg><strong>${escaped(brand.name)}</strong></div></div>
<main class="page">
<h1>Mailbox</h1>
<p class="lead">What the demo has sent, newest first. All of it ends here: nothing leaves this machine, and it is forgotten when the demo ends.</p>
<p class="note ended" role="status">The demo does not answer any more.</p>
<ol>${articles(received)}</ol>
<p class="note none">Nothing has come in yet. This sends an invitation:<br><code>${escaped(invitationCommand)}</code></p>
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
}

/** Without white space around them: an empty list is to be :empty. */
export function articles(received: Received[]): string {
  return received.map((message) => `<li id="m${message.number}">${article(message)}</li>`).join("");
}

function article({ channel, from, to, subject, text, html, headers, verified, at }: Received): string {
  const time = new Date(at).toLocaleTimeString("sv");
  const signature = verified === undefined ? "" : signatureTag(verified);
  const rows = headers.map(({ name, value }) => row(name, escaped(value))).join("");
  return `<article class="${channel}">
<header><div class="line"><span class="tag ${channel}">${channels[channel]}</span>${signature}<time datetime="${at}">${time}</time></div>
${subject ? `<h2>${escaped(subject)}</h2>` : ""}
<dl>${row("From", escaped(from))}${row("To", escaped(to.join(", ")))}</dl></header>
<div class="parts${html ? " two" : ""}">${html ? frame(html, subject) : ""}<pre>${linked(text)}</pre></div>
<details><summary>Headers</summary><dl>${rows}</dl></details>
</article>`;
}

function signatureTag(verified: boolean): string {
  return `<span class="tag${verified ? "" : " refused"}">${verified ? "Signature verified" : "Signature not verified"}</span>`;
}

function row(name: string, value: string): string {
  return `<dt>${escaped(name)}</dt><dd>${value}</dd>`;
}

/** As a mail program shows it: a document without scripts and forms, whose links open a tab of their own. */
function frame(html: string, subject: string): string {
  const document = `<meta http-equiv="Content-Security-Policy" content="${framePolicy}"><base target="_blank">${html}`;
  return `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" title="${escaped(subject)}" srcdoc="${escaped(document)}"></iframe>`;
}
