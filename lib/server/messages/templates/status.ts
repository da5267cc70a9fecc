import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { emailOf } from "./email";
import { linkParts, referenceFact } from "./letter";

/** Neither subject nor preview reveals the decision, because others may see both on a locked screen. */
export const statusEmail = emailOf("status-4", (data, brand) => {
  const status = data.status === undefined || data.status === "draft" ? "submitted" : data.status;
  const { text, nextHeading, next } = statusWords(brand)[status];
  const { name, heading } = statusHeadings[status];
  return {
    subject: `Update on your application ${data.reference}`,
    preview: `${brand.name} has an update for you.`,
    heading,
    name: data.name,
    parts: [
      text,
      { facts: [referenceFact(data), ["Status", name]] },
      ...linkParts(data, brand, "Open your application"),
      { heading: nextHeading, items: next },
    ],
    why: `You're receiving this because you applied with this email address (ref ${data.reference}). If you didn't apply, please call us.`,
  };
});
