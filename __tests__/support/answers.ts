import type { AgentAnswers, ConsentAnswers, LandlordAnswers, LeaseAnswers } from "@/lib/domain/application";

/** Ordinary valid answers for each step. */
export const landlord: LandlordAnswers = {
  firstName: "Ada",
  lastName: "Byron",
  mobile: "61412345678",
  email: "ada@example.com",
  propertyAddress: "1 Wattle Lane, Sydney NSW 2000",
  source: "ba",
};

export const agent: AgentAnswers = {
  agencyName: "Harbour Homes",
  managerFirstName: "Grace",
  managerLastName: "Hopper",
  contactNumber: "61298765432",
  managerEmail: "grace@harbour.example.com",
};

export const lease: LeaseAnswers = {
  leaseStartDate: "2026-03-01",
  leaseEndDate: "2027-02-28",
  currentRent: "300",
  invoiceAmount: "2450",
  loanAmount: "33650",
  approval: "",
};

export const consent: ConsentAnswers = { authoriseAgent: true, provideSelf: false, confirmLoan: true };
