import { Html, html } from "@/lib/server/templates/html";

export interface Message {
  /** Numbers start at 1. */
  number: number;
  /** When it arrived, in the lender's time zone. */
  time: string;
  channel: "email" | "sms" | "webhook";
  from: string;
  /** The actual recipients: the addresses of the envelope, not those of the headers. */
  to: string[];
  /** The subject of an email, or the type of a webhook. */
  subject: string;
  text: string;
  html?: string;
}

/** The command to type in another terminal to see the demo send a message. */
export const invitationCommand =
  "npm run invite -- --mobile 61412345678 --email alex@example.com --first-name Alex --source ba --send";

const channels = { email: "Email", sms: "SMS", webhook: "Webhook" };

const style = `
  body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: #f8f7f3; color: #12241f; font: 1rem/1.5 sans-serif; }
  ol { list-style: none; padding: 0; }
  ol:not(:empty) ~ .none, body:not(.away) .ended { display: none; }
  li { margin-bottom: 1.25rem; padding: 1rem; border: 1px solid #dfe2dc; border-radius: 1rem; background: #fff; }
  h2 { margin: .5rem 0; font-size: 1.25rem; }
  iframe { width: 100%; height: 40rem; border: 1px solid #dfe2dc; resize: vertical; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  a { color: #0b5c4b; }`;

/** Adds new messages at the top and leaves the rest of the page unchanged, so that nobody loses their place. */
const script = `
  const list = document.querySelector("ol");
  setInterval(async () => {
    const newest = list.firstElementChild?.id.slice(1) ?? 0;
    const response = await fetch("/since?number=" + newest).catch(() => null);
    document.body.classList.toggle("away", !response?.ok);
    if (response?.ok) list.insertAdjacentHTML("afterbegin", await response.text());
  }, 1000);`;

export function mailboxPage(messages: Message[], name: string): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Demo mailbox</title><style>${new Html(style)}</style></head>
<body><p>${name}</p><h1>Mailbox</h1>
<p>What the demo has sent, newest first. Nothing leaves this machine, and everything is deleted when the demo ends.</p>
<p class="ended" role="status"><strong>The demo has ended.</strong></p>
<ol>${messages.map(messageItem)}</ol>
<p class="none">Nothing has been received yet. To send an invitation, run:<br><code>${invitationCommand}</code></p>
<script>${new Html(script)}</script></body></html>`.markup;
}

/** Without white space around the items, so that an empty list matches :empty. */
export const messageItems = (messages: Message[]) => html`${messages.map(messageItem)}`.markup;

function messageItem({ number, time, channel, from, to, subject, text, html: body }: Message): Html {
  return html`<li id="m${String(number)}"><strong>${channels[channel]}</strong> · ${time}<br>
From ${from} to ${to.join(", ")}${subject ? html`<h2>${subject}</h2>` : ""}
${body ? frame(body, subject) : ""}<pre>${linked(text)}</pre></li>`;
}

/** Shows an email as a mail program does: without scripts and forms, and with links that open in a new tab. */
function frame(body: string, subject: string): Html {
  const document = `<base target="_blank">${body}`;
  return html`<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="${subject}" srcdoc="${document}"></iframe>`;
}

/** Turns the addresses in a text into links. A full stop or bracket after an address belongs to the sentence. */
function linked(text: string): (string | Html)[] {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/)
    .map((part, index) =>
      index % 2 === 0 ? part : html`<a href="${part}" target="_blank" rel="noopener">${part}</a>`,
    );
}
