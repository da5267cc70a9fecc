import { withDatabase } from "@/lib/cli/shared/command";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { invitationSchema } from "@/lib/server/invitations/invitation";
import { createDemoApplications } from "./demo-applications";

const prefilled = {
  mobile: "61491570006",
  firstName: "Alex",
  lastName: "Nguyen",
  email: "alex.nguyen@example.com",
  agencyName: "Harbour & Hill Property",
  managerFirstName: "Priya",
  managerLastName: "Shah",
  contactNumber: "61298765432",
  managerEmail: "priya.shah@example.com",
};

/** One invitation for each kind of link, from the most prefilled answers to the fewest. */
const invitations = [
  {
    name: "Pre-approval (source ba)",
    values: {
      ...prefilled,
      propertyAddress: "12 Station Street, Newtown NSW 2042",
      quotes: ["2450.00", "1980.00"],
      source: "ba",
    },
  },
  { name: "Invoice (source ia)", values: { ...prefilled, quotes: ["2450.00"], source: "ia" } },
  { name: "No source", values: { mobile: prefilled.mobile } },
];

/** `app` is the address at which this machine reaches the app. */
export async function printDemoLinks(app: string): Promise<void> {
  await createDemoApplications(app);

  const parsed = invitations.map(({ values }) => invitationSchema.parse(values));
  const links = await withDatabase(() => createInvitations(parsed));
  console.log("\nThe app is running. Each of these links opens a separate application:\n");
  for (const [index, { link, reference }] of links.entries()) {
    console.log(`${invitations[index]?.name}, ${reference}\n  ${link}\n`);
  }
}
