/** A statement on applications that may change a submitted one, as only their owner can: to age it, or for a picture. */
export function pastTheGuard(statement: string): string {
  const guard = (what: string) => `ALTER TABLE applications ${what} TRIGGER submitted_applications_are_immutable`;
  return `DO $$ BEGIN ${guard("DISABLE")}; ${statement}; ${guard("ENABLE")}; END $$`;
}
