import { currentSettings } from "@/lib/server/settings";

/** What a clerk may do, and what only an approver may do. Each action and page of the desk names its right. */
const clerk = ["read", "handle", "start-review", "invite", "correct", "reissue", "retry", "add-opt-out"] as const;
const approver = ["decide", "revoke", "remove-opt-out", "export", "erase"] as const;
export type Right = (typeof clerk)[number] | (typeof approver)[number];
export type Role = "clerk" | "approver";

/** What the provider says about a person. */
export interface Claims {
  /** Empty unless the provider has verified it. */
  verifiedEmail: string;
  groups: string[];
}

/** The person's role by the settings, or null if they name neither the address, nor its domain, nor a group. */
export function roleOf({ verifiedEmail, groups }: Claims): Role | null {
  const email = verifiedEmail.toLowerCase();
  const domain = email.slice(email.lastIndexOf("@"));
  const isNamed = (names: string[]) =>
    names.some((name) =>
      name.includes("@") ? email !== "" && [email, domain].includes(name.toLowerCase()) : groups.includes(name),
    );
  const { DESK_APPROVERS, DESK_CLERKS } = currentSettings();
  if (isNamed(DESK_APPROVERS)) return "approver";
  return isNamed(DESK_CLERKS) ? "clerk" : null;
}

export function mayDo(role: Role, right: Right): boolean {
  return role === "approver" || clerk.some((own) => own === right);
}
