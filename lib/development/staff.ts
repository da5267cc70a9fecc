/** The people of the demo's desk. The address is the account at the sign-in provider. */
export const clerk = "casey.clerk@lender.example";
export const approver = "robin.approver@lender.example";
