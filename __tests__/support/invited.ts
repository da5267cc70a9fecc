import type { InvitableField, InvitedAnswers } from "@/lib/domain/application";
import { prisma } from "@/lib/server/database/prisma";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { type Invitation, invitationSchema } from "@/lib/server/invitations/invitation";

interface Terms {
  source?: string;
  expiresInDays?: number;
}

const flags = {
  firstName: "first-name",
  lastName: "last-name",
  mobile: "mobile",
  email: "email",
  propertyAddress: "property-address",
  agencyName: "agency-name",
  managerFirstName: "agent-first-name",
  managerLastName: "agent-last-name",
  contactNumber: "agent-mobile",
  managerEmail: "agent-email",
} as const satisfies Partial<Record<InvitableField, keyof Invitation>>;

const isFlagged = (field: string): field is keyof typeof flags => field in flags;

/** Creates an invitation with these known answers and terms. */
export async function invited(known: Partial<InvitedAnswers> = {}, { source = "ba", expiresInDays = 30 }: Terms = {}) {
  const given = Object.entries(known).flatMap(([field, value]) => (isFlagged(field) ? [[flags[field], value]] : []));
  const [issued] = await createInvitations([
    {
      ...invitationSchema.parse({ mobile: "61400000000" }),
      // Past the schema, which requires a mobile number and an expiry in the future: some tests want neither.
      mobile: "",
      "expires-days": String(expiresInDays),
      source,
      quote: known.invoiceAmount ? [known.invoiceAmount] : [],
      ...Object.fromEntries(given),
    },
  ]);
  if (!issued) throw new Error("Nobody was invited");
  const { reference, token } = issued;
  const { id } = await prisma().application.findUniqueOrThrow({ where: { reference } });
  return { token, reference, id };
}
