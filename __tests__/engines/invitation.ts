import { invited } from "@/__tests__/support/invited";
import { type Stage, saveUpTo } from "@/__tests__/support/stages";

export interface Invitation {
  token: string;
  reference: string;
  /** From the path on: each browser has its own line to the product. */
  link: string;
}

/** As `npm run invite` does, without a process for each; with the steps saved up to this one, or submitted. */
export async function invitedAt(stage: Stage = 0, source = ""): Promise<Invitation> {
  const { token, reference } = await invited({ mobile: "61412345678", email: "ada@example.com" }, { source });
  await saveUpTo(stage, token);
  return { token, reference, link: `/?token=${token}${source && `&source=${source}`}` };
}
