import type { SubmittedStatus } from "./journey";

interface Standing {
  /** In a word or two. */
  name: string;
  heading: string;
}

/** The badge and heading for each status after submission. */
export const standings: Record<SubmittedStatus, Standing> = {
  submitted: { name: "Received", heading: "Your application has been submitted!" },
  "in-review": { name: "In review", heading: "We are reviewing your application" },
  approved: { name: "Approved", heading: "Your application is approved" },
  declined: { name: "Declined", heading: "We could not approve your application" },
};
