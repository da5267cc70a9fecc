import "server-only";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";
import { emailOf } from "./email";
import { linkParts, referenceFact } from "./letter";

/** The decision stands in neither subject nor preview: others may see those on a locked screen. */
export const statusEmail = emailOf("status-1", (data, brand) => {
  const status = data.status === undefined || data.status === "draft" ? "submitted" : data.status;
  const { text, nextHeading, next } = statusWords(brand)[status];
  const { name, heading } = statusHeadings[status];
  return {
    subject: `News of your application ${data.reference}`,
    preview: `From ${brand.name}, where you applied.`,
    heading,
    name: data.name,
    parts: [
      text,
      { facts: [referenceFact(data), ["Where it stands", name]] },
      ...linkParts(data, brand, "Open your application"),
      { heading: nextHeading, items: next },
    ],
    why: `You get this because application ${data.reference} was submitted with this address. If you did not apply, please call us.`,
  };
});
