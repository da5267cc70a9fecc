/** Statements by which operations end every link of an application. They commit while a call or a worker waits for their locks. */
export const endings = {
  erasure: "SELECT erase_applications(ARRAY[$1::uuid], 'Ops')",
  revocation: `WITH locked AS MATERIALIZED (SELECT id FROM applications WHERE id = $1 FOR UPDATE)
    UPDATE links SET "revokedAt" = now() FROM locked WHERE "applicationId" = locked.id`,
};
