import { type Brand, withLinks } from "@/lib/brand";
import { asText, contact, greeting, senderLines, stopByPhone } from "./as-text";
import { fonts, Html, html, light, styleSheet } from "./html";
import type { Fact, Letter, Part, RenderedEmail, Table, Template, TemplateData } from "./letter";

const text = `font-family:${fonts};font-size:16px;line-height:1.5;color:${light.ink};`;
const small = `font-family:${fonts};font-size:14px;line-height:1.5;color:${light.soft};`;
const strong = `font-family:${fonts};font-size:19px;line-height:1.35;font-weight:bold;color:${light.ink};`;
const table = new Html('role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"');

const paragraph = (words: string | (string | Html)[]) =>
  html`<p class="ink" style="margin:0 0 16px;${text}">${words}</p>`;
const note = (words: string | Html) => html`<p class="soft" style="margin:0 0 12px;${small}">${words}</p>`;
const code = (line: string) =>
  html`<p class="soft" style="margin:0 0 16px;font-family:Consolas,Menlo,monospace;font-size:12px;line-height:1.5;color:${light.soft};overflow-wrap:anywhere;word-break:break-all">${line}</p>`;
const link = (address: string, label: string) =>
  html`<a class="link" href="${address}" style="color:${light.brand};overflow-wrap:anywhere">${label}</a>`;

const linked = (words: string, brand: Brand) =>
  withLinks(words, brand).map(({ text: part, href }) => (href ? link(href, part) : part));

const row = ([label, value]: Fact) => html`<tr>
<td class="soft" style="padding:0 12px 0 0;${small}">${label}</td>
</tr><tr><td class="ink" style="padding:0 0 12px;${strong}">${value}</td></tr>`;

const facts = (rows: Fact[]) => html`<table ${table} style="margin:0 0 20px"><tr>
<td class="mark" bgcolor="${light.mark}" style="background-color:${light.mark};border-radius:12px;padding:16px 20px 4px">
<table ${table}>${rows.map(row)}</table></td></tr></table>`;

/** Headings wrap between words, so that the table fits the width of a phone. */
function tableAsHtml({ headings, rows }: Table): Html {
  const cell = `padding:6px 0 6px 3px;border-bottom:1px solid ${light.line};font-family:${fonts};font-size:12px;line-height:1.35;vertical-align:bottom;`;
  const side = (n: number) => (n === 0 ? "text-align:left;padding-left:0" : "text-align:right");
  const head = headings.map(
    (heading, n) =>
      html`<th scope="col" class="soft line" style="${cell}color:${light.soft};${side(n)}">${heading}</th>`,
  );
  const body = rows.map(
    ([label = "", ...values]) => html`<tr>
<th scope="row" class="ink line" style="${cell}color:${light.ink};${side(0)}">${label}</th>
${values.map((value) => html`<td class="ink line" style="${cell}color:${light.ink};white-space:nowrap;${side(1)}">${value}</td>`)}</tr>`,
  );
  return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;border-collapse:collapse">
<thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** A table, because Outlook for Windows ignores the padding of links. The address follows as text, for use without clicking. */
const button = (label: string, address: string) => html`<table ${table} style="margin:0 0 12px"><tr>
<td class="button" align="center" bgcolor="${light.brand}" style="background-color:${light.brand};border-radius:12px;mso-padding-alt:14px 20px">
<a class="button" href="${address}" style="display:block;padding:14px 20px;border-radius:12px;font-family:${fonts};font-size:17px;line-height:1.4;font-weight:bold;color:#ffffff;text-decoration:none">${label}</a>
</td></tr></table>
${note(html`Or copy this address into your browser:<br>${link(address, address)}`)}`;

function partAsHtml(part: Part, brand: Brand): Html {
  if (typeof part === "string") return paragraph(part);
  if ("facts" in part) return facts(part.facts);
  if ("rows" in part) return tableAsHtml(part);
  if ("button" in part) return button(part.button, part.link);
  const list = new Html(part.isUnordered ? "ul" : "ol");
  const items = part.items.map(
    ({ title, text: words }) =>
      html`<li class="ink" style="margin:0 0 10px;${text}"><b>${title}</b><br>${linked(words, brand)}</li>`,
  );
  return html`<h2 class="ink" style="margin:24px 0 12px;${strong}">${part.heading}</h2>
<${list} style="margin:0 0 16px;padding:0 0 0 24px">${items}</${list}>`;
}

/** Renders a letter as HTML for mail programs: inline styles and tables, no images, nothing to load. */
function asHtml(letter: Letter, brand: Brand): string {
  const { subject, preview, heading, name, parts, why, stop, proof } = letter;
  const [legalName = "", numbers = ""] = senderLines(brand);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${new Html(styleSheet)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${light.paper}">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table class="paper" ${table} bgcolor="${light.paper}" style="background-color:${light.paper}"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table ${table} style="max-width:600px">
<tr><td class="room" bgcolor="${light.band}" style="background-color:${light.band};border-bottom:3px solid ${light.accent};border-radius:16px 16px 0 0;padding:18px 32px;font-family:${fonts};font-size:20px;line-height:1.35;font-weight:bold;color:#ffffff">${brand.name}</td></tr>
<tr><td class="surface room" bgcolor="${light.surface}" style="background-color:${light.surface};border:1px solid ${light.line};border-top:0;border-radius:0 0 16px 16px;padding:28px 32px 12px">
<h1 class="ink" style="margin:0 0 16px;font-family:${fonts};font-size:24px;line-height:1.25;font-weight:bold;color:${light.ink}">${heading}</h1>
${paragraph(greeting(name))}
${parts.map((part) => partAsHtml(part, brand))}
${paragraph(linked(contact(brand), brand))}
</td></tr>
<tr><td class="room" style="padding:20px 32px 8px">
${note(html`<b class="ink" style="color:${light.ink}">${legalName}</b><br>${numbers}`)}
${note(why)}
${stop === undefined ? "" : note(stop ? link(stop, "Stop invitations and reminders") : stopByPhone(brand))}
${proof ? html`${note(proof.note)}${code(proof.code)}` : ""}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`.markup;
}

/** The last part of each message that carries evidence: a line that evidence-verify.mjs reads. */
function proofIn({ evidence, reference }: TemplateData): Letter["proof"] {
  const note = reference
    ? "Please keep this email. The code below proves what you submitted, and when."
    : "Please keep this email. The code below proves what the log contains today.";
  return evidence && { note, code: JSON.stringify(evidence) };
}

export function emailOf(
  version: string,
  letter: (data: TemplateData, brand: Brand) => Letter,
): Template<RenderedEmail> {
  return {
    version,
    render(data, brand) {
      const content = letter(data, brand);
      const complete = { ...content, proof: proofIn(data) };
      return { subject: complete.subject, text: asText(complete, brand), html: asHtml(complete, brand) };
    },
  };
}
