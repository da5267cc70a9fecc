import "server-only";
import type { Outcome } from "@/lib/server/messages/outcome";
import type { WrittenEmail } from "@/lib/server/messages/templates/template";

export interface Email extends WrittenEmail {
  /** The message's; its Message-ID follows from it, and is the same for each attempt. */
  id: string;
  to: string;
  /** Where its reader stops such messages. */
  stop?: string | undefined;
}

export async function sendEmail(_: Email): Promise<Outcome> {
  return { state: "failed", error: "not built" };
}
