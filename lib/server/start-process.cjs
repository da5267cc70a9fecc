const { setDefaultAutoSelectFamilyAttemptTimeout } = require("node:net");

/*
 * What every process does first. Node gives each address of a host 250 ms, which is less than a far host needs: where the other
 * address cannot be reached (no IPv6), every connection would fail. A call waits 1500 ms for the database, so two addresses fit.
 */
setDefaultAutoSelectFamilyAttemptTimeout(1000);
require("./env-files.cjs");
