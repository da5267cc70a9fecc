import { type Figures, stages } from "@/lib/server/applications/figures";
import { linkTo } from "@/lib/server/links/token";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import type { TemplateData } from "@/lib/server/messages/templates/letter";
import { emailTemplate, smsTemplate, texts } from "@/lib/server/messages/templates/texts";
import { currentSettings } from "@/lib/server/settings";
import { UsageError } from "./command";

const dayMs = 86_400_000;

const figures: Figures = {
  group: "",
  stages: stages.map((stage, n) => {
    const [count, before] = [1000 - n * 100, n === 0 ? 1000 : 1100 - n * 100];
    const medianSeconds = n === 0 ? null : n * 1800;
    return { stage, count, stopped: 100, ofInvited: count / 1000, ofBefore: count / before, medianSeconds };
  }),
  bounced: 12,
  optedOut: 3,
};

function sampleData(): TemplateData {
  const { appUrl } = currentSettings();
  return {
    reference: "K7QM-4XRT",
    name: "Alex",
    link: linkTo("x".repeat(43), "ba"),
    linkUntil: new Date(Date.now() + 30 * dayMs),
    stop: `${appUrl}/stop?code=${"x".repeat(30)}`,
    submittedAt: new Date(),
    amount: "2450.00",
    status: "in-review",
    figures: { figures: [figures], countedAt: new Date() },
  };
}

export function previewPage(kind: string | undefined, asHtml: boolean): string {
  const kinds = Object.entries(texts).flatMap(([name, channels]) => (Object.keys(channels).length > 0 ? [name] : []));
  if (kind === undefined) return kinds.join("\n");
  if (!kinds.includes(kind)) throw new UsageError(`A message is one of ${kinds.join(", ")}.`);
  const { brand } = currentSettings();
  const email = emailTemplate(kind as MessageKind)?.write(sampleData(), brand);
  const sms = smsTemplate(kind as MessageKind)?.write(sampleData(), brand);
  if (asHtml && email) return email.html;
  const parts = [email && `Email: ${email.subject}\n\n${email.text}`, sms && `SMS: ${sms}`];
  return parts.filter(Boolean).join("\n\n────\n\n");
}
