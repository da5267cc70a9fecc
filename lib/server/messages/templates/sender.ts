import "server-only";
import type { Brand } from "@/lib/brand";

/** Who sends it, as the Spam Act 2003 (Australia) wants it named. */
export const senderLines = ({ legalName, companyNumber, licence }: Brand) => [
  legalName,
  `${companyNumber} · ${licence}`,
];

/** 'Questions?' and whom to ask. */
export const contact = ({ supportPhone, supportHours, supportEmail }: Brand) =>
  `Questions? Call ${supportPhone} (${supportHours}) or write to ${supportEmail}.`;

/** How to stop, where there is no page for it. */
export const stopByPhone = ({ supportPhone }: Brand) => `To get no more of these, call ${supportPhone}.`;
