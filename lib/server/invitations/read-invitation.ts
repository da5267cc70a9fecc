import { type Invitation, invitationFields, invitationSchema } from "./invitation";

export interface InvitationProblem {
  /** The flag of the wrong field, which is the column of a list. */
  flag: string;
  message: string;
  /** What was given; undefined if it is not a text. */
  value?: string;
}

/** Reads an invitation by its flags, from the command line, the row of a list or the form of the desk. */
export function readInvitation(
  given: Record<string, unknown>,
): { invitation: Invitation } | { problems: InvitationProblem[] } {
  const fieldOf = (flag: string) => invitationFields.find((known) => known.flag === flag)?.field ?? flag;
  const { data, error } = invitationSchema.safeParse(
    Object.fromEntries(Object.entries(given).map(([flag, value]) => [fieldOf(flag), value])),
  );
  if (data) return { invitation: data };
  const problems = error.issues.map(({ path: [field, index], message }) => {
    const flag = invitationFields.find((known) => known.field === field)?.flag ?? "";
    const value = [given[flag]].flat()[Number(index ?? 0)];
    return { flag, message, ...(typeof value === "string" ? { value } : {}) };
  });
  return { problems };
}
