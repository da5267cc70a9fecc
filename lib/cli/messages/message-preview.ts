import { UsageError } from "@/lib/cli/shared/flags";
import { toGsm7 } from "@/lib/domain/sms-text";
import { addDays } from "@/lib/domain/zone-time";
import { amountNames, type Figures, stages } from "@/lib/server/figures/figures";
import { linkTo } from "@/lib/server/links/token";
import { currentSettings, deskLink } from "@/lib/server/settings";
import type { TemplateData } from "@/lib/server/templates/letter";
import { templatesOf, texts } from "@/lib/server/templates/texts";

const sample = { count: 500, stopped: 100, ofInvited: 0.5, ofBefore: 0.8, medianSeconds: 3600 };
const sampleAmount = { count: 100, total: "2450000", median: "24050.5" };
const figures: Figures = {
  group: "",
  stages: stages.map((stage) => ({ stage, ...sample })),
  amounts: amountNames.map((name) => ({ name, ...sampleAmount })),
  bounced: 12,
  optedOut: 3,
};

function sampleData(): TemplateData {
  const { appUrl } = currentSettings();
  return {
    reference: "K7QM-4XRT",
    name: "Alex",
    link: linkTo("x".repeat(43), "ba"),
    linkUntil: addDays(new Date(), 30),
    stop: `${appUrl}/stop?code=${"x".repeat(30)}`,
    desk: deskLink("K7QM-4XRT"),
    submittedAt: new Date(),
    amount: "2450.00",
    status: "in-review",
    figures: { figures: [figures], countedAt: new Date() },
  };
}

export function previewPage(kind: string | undefined, asHtml: boolean): string {
  const kinds = Object.keys(texts);
  if (kind === undefined) return kinds.join("\n");
  if (!kinds.includes(kind)) throw new UsageError(`KIND must be one of ${kinds.join(", ")}.`);
  const { brand } = currentSettings();
  const templates = templatesOf(kind);
  const email = templates.email?.render(sampleData(), brand);
  const sms = templates.sms?.render(sampleData(), brand);
  if (asHtml && email) return email.html;
  const parts = [email && `Email: ${email.subject}\n\n${email.text}`, sms && `SMS: ${toGsm7(sms)}`];
  return parts.filter(Boolean).join("\n\n────\n\n");
}
