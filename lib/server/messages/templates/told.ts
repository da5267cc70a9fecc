import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";

/** What a message may tell. Times are written in the brand's locale and zone. */
export interface Told {
  /** Empty for what is about no application. */
  reference: string;
  /** Their first name; empty where unknown. */
  name: string;
  link?: string;
  linkUntil?: Date;
  /** The page on which its reader stops such messages. */
  stop?: string;
  submittedAt?: Date;
  status?: ApplicationStatus;
  /** The rental advance, as in '2450.00'. */
  amount?: string;
}
