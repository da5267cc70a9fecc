import { withDatabase } from "@/lib/cli/shared/command";
import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { addNote, takeApplication } from "@/lib/server/applications/handling";
import { setStatuses } from "@/lib/server/applications/set-status";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { invitationSchema } from "@/lib/server/invitations/invitation";
import { suppress } from "@/lib/server/outbox/suppressions";
import { deadAddress } from "./mailbox";
import { clerk } from "./staff";

interface Sample {
  first: string;
  last: string;
  property: string;
  email?: string;
  /** The statuses that follow the submission. Without it, the application stays a draft. */
  statuses?: StatusAfterSubmission[];
  notes?: string[];
  isTaken?: true;
  optOut?: true;
  /** Another agent than the invitation's. */
  hasOtherAgent?: true;
}

const samples: Sample[] = [
  { first: "Mei", last: "Lin", property: "4 Foundry Lane, Footscray VIC 3011" },
  { first: "Tom", last: "Ferris", property: "19 Harbour Street, Newcastle NSW 2300", email: deadAddress },
  {
    first: "Ruth",
    last: "Okafor",
    property: "7 Jacaranda Avenue, Grafton NSW 2460",
    optOut: true,
    notes: ["Rang, and asked for no more messages."],
  },
  { first: "Amelia", last: "Hart", property: "31 Wharf Road, Balmain NSW 2041", statuses: [] },
  { first: "Sunil", last: "Rao", property: "2/88 King Street, Perth WA 6000", statuses: [], hasOtherAgent: true },
  {
    first: "Grace",
    last: "O'Neill",
    property: "15 Miller Street, Fitzroy VIC 3065",
    statuses: ["in-review"],
    isTaken: true,
    notes: ["Asked the agent for the lease.", "The lease has arrived. The rent is right."],
  },
  { first: "Daniel", last: "Kovac", property: "60 Creek Road, Carina QLD 4152", statuses: ["in-review", "approved"] },
  { first: "Hannah", last: "Weiss", property: "8 Station Parade, Adelaide SA 5000", statuses: ["declined"] },
  { first: "Leo", last: "Tran", property: "22 Canal Street, Geelong VIC 3220", statuses: ["withdrawn"] },
  { first: "Nora", last: "Blake", property: "101 Ocean Drive, Hobart TAS 7000", statuses: ["approved", "paid"] },
];

/** Australia reserves the numbers that begin with 61491570 for fiction. */
const mobileOf = (position: number) => `614915701${String(10 + position)}`;
const emailOf = ({ first, last, email }: Sample) =>
  email ?? `${first}.${last.replace(/\W/g, "")}@example.com`.toLowerCase();

const agent = {
  agencyName: "Harbour & Hill Property",
  managerFirstName: "Priya",
  managerLastName: "Shah",
  contactNumber: "61298765432",
  managerEmail: "priya.shah@example.com",
};

const invitationOf = (sample: Sample, position: number) =>
  invitationSchema.parse({
    mobile: mobileOf(position),
    firstName: sample.first,
    lastName: sample.last,
    email: emailOf(sample),
    propertyAddress: sample.property,
    ...agent,
    quotes: [`${1200 + 350 * position}.00`],
    source: position % 2 === 0 ? "ba" : "ia",
    consentBasis: "asked the agent for an advance",
  });

/** Creates an application in every state, for the desk. A second demo finds them and creates none. */
export async function createDemoApplications(app: string): Promise<void> {
  const rowHashes = samples.map(({ first, last }) => `demo ${first} ${last}`);
  const options = { by: clerk, send: true, batch: "Demo", rowHashes };
  await withDatabase(async () => {
    const placed = new Map<number, IssuedLink>();
    await createInvitations(samples.map(invitationOf), {
      ...options,
      beforeCommit: (issued, positions) =>
        issued.forEach((link, index) => void placed.set(positions[index] ?? -1, link)),
    });
    for (const [position, sample] of samples.entries()) {
      const issued = placed.get(position);
      if (issued) await advance(app, sample, position, issued);
    }
  });
}

async function advance(app: string, sample: Sample, position: number, { reference, token }: IssuedLink): Promise<void> {
  const { statuses, notes = [], isTaken, optOut } = sample;
  if (optOut) await suppress("email", emailOf(sample), "asked for it on the phone", clerk);
  if (statuses) await submit(app, sample, position, token);
  for (const note of notes) await addNote(reference, note, clerk);
  if (isTaken) await takeApplication(reference, clerk);
  for (const status of statuses ?? [])
    await setStatuses([{ reference, status, reason: status === "declined" ? "the lease has ended" : "" }], {
      by: clerk,
    });
}

/** Submits as the lender's own app would, so that the consent and its evidence are genuine. */
async function submit(app: string, sample: Sample, position: number, token: string): Promise<void> {
  const other = { agencyName: "Bright & Sons", managerFirstName: "Alan", managerEmail: "alan@example.com" };
  const data = {
    firstName: sample.first,
    lastName: sample.last,
    mobile: mobileOf(position),
    email: emailOf(sample),
    propertyAddress: sample.property,
    source: position % 2 === 0 ? "ba" : "ia",
    ...agent,
    ...(sample.hasOtherAgent ? other : {}),
    leaseStartDate: "2026-03-01",
    leaseEndDate: "2027-02-28",
    currentRent: String(300 + 25 * position),
    invoiceAmount: `${1200 + 350 * position}`,
    loanAmount: String(20_000 + 1500 * position),
    approval: "",
    authoriseAgent: true,
    provideSelf: false,
    confirmLoan: true,
  };
  const response = await fetch(`${app}/api/v1/user/submit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, data }),
  });
  if (!response.ok) throw new Error(`The sample application of ${sample.first} was refused: ${await response.text()}`);
}
