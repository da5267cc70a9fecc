import "server-only";
import type { Template } from "./template";
import { writtenDay } from "./written-times";

/** To the mobile that was invited: whoever else used its link is found out. */
export const notYouSms: Template<string> = {
  version: "not-you-1",
  write: ({ reference, submittedAt }, brand) => {
    const on = submittedAt ? ` on ${writtenDay(submittedAt, brand)}` : "";
    return `${brand.legalName}: application ${reference} for an advance on rent, to which we invited this number, was submitted${on}. If that was you, all is well. Not you? Call ${brand.supportPhone}.`;
  },
};
