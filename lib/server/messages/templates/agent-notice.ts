import "server-only";
import { emailOf } from "./letter";
import { referenceFact, timeFact } from "./link-parts";

/** Without the landlord's name: the address is what the landlord typed, and may be wrong. */
export const agentNoticeEmail = emailOf("agent-notice-1", (told, brand) => ({
  subject: `A landlord has named you as managing agent (${told.reference})`,
  preview: `${brand.name} has received an application for an advance on rent.`,
  heading: "A landlord has named you as managing agent",
  parts: [
    `A landlord has applied to ${brand.legalName} for an advance on rent, and named you as the managing agent of the property.`,
    "There is nothing you need to do now. If we need anything from you, we call or write. To ask which property it is, call us with the reference.",
    { facts: [referenceFact(told), ...timeFact("Submitted", told.submittedAt, brand)] },
  ],
  why: `You get this because application ${told.reference} names this address as the managing agent's. If you manage no property, please call us.`,
}));
