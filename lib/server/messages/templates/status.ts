import "server-only";
import { standings } from "@/lib/domain/standing";
import { statusWords } from "@/lib/domain/status-words";
import { emailOf } from "./letter";
import { linkParts, referenceFact } from "./link-parts";

/** The decision stands in neither subject nor preview: others may see those on a locked screen. */
export const statusEmail = emailOf("status-1", (told, brand) => {
  const status = told.status === undefined || told.status === "draft" ? "submitted" : told.status;
  const { text, nextHeading, next } = statusWords(brand)[status];
  const { name, heading } = standings[status];
  return {
    subject: `News of your application ${told.reference}`,
    preview: `From ${brand.name}, where you applied.`,
    heading,
    name: told.name,
    parts: [
      text,
      { facts: [referenceFact(told), ["Where it stands", name]] },
      ...linkParts(told, brand, "Open your application"),
      { heading: nextHeading, items: next },
    ],
    why: `You get this because application ${told.reference} was submitted with this address. If you did not apply, please call us.`,
  };
});
