-- The applicant has withdrawn, and the funds have gone to the agent. The app allows 'paid' only after 'approved'.
ALTER TYPE "ApplicationStatus" ADD VALUE 'withdrawn';
ALTER TYPE "ApplicationStatus" ADD VALUE 'paid';
