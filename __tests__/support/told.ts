import type { Told } from "@/lib/server/messages/templates/told";

/** What a message may tell, all of it. */
export const everythingTold: Told = {
  reference: "K7QM-4XRT",
  name: "Ada",
  link: `https://apply.example/?token=${"kT4vPz9_QxW".repeat(4).slice(0, 43)}&source=ba`,
  linkUntil: new Date("2026-12-21T04:00:00Z"),
  stop: `https://apply.example/stop?code=${"Zm9vYmFy".repeat(4)}`,
  submittedAt: new Date("2026-11-21T00:30:00Z"),
  status: "in-review",
  amount: "24050.5",
};
