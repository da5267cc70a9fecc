/** Lets a statement by the owner change submitted applications, for example to date one back or for a screenshot. */
export function withTriggersDisabled(statement: string): string {
  const guard = (action: string) => `ALTER TABLE applications ${action} TRIGGER submitted_applications_are_immutable`;
  return `DO $$ BEGIN ${guard("DISABLE")}; ${statement}; ${guard("ENABLE")}; END $$`;
}
