import { backUpAndRestore } from "./backup";
import type { Place } from "./deployed";
import { fullDisk, killedPostgres, rollingRestart } from "./disasters";
import { inviteMany } from "./invitations";
import { decide, erase, exportAll, find, show } from "./operations";

/** The acts of a day in operations, in their order. Each returns what it did and counted. */
export const day: Record<string, (place: Place) => Promise<string>> = {
  invite: inviteMany,
  "rolling restart": rollingRestart,
  "full disk": fullDisk,
  "killed Postgres": killedPostgres,
  find,
  show,
  decide,
  export: exportAll,
  erase,
  "back up, restore elsewhere": backUpAndRestore,
};
