const { accessSync, constants, existsSync } = require("node:fs");
const { join } = require("node:path");

/*
 * Sets the variables of these files that the environment lacks, without expanding `$`. The first file that has a variable wins.
 * systemd decrypts secrets into CREDENTIALS_DIRECTORY (docs/deploy/secrets.md). Next would read .env.local and .env again and
 * expand every `$`, even in values that are already set. __NEXT_PROCESSED_ENV prevents that, in child processes, too.
 */
const { CREDENTIALS_DIRECTORY: folder } = process.env;
const secrets = folder ? [join(folder, "rent-advance.env")] : [];
for (const file of [...secrets, ".env.local", ".env"]) {
  if (!existsSync(file)) continue;
  // Whatever the reason, loadEnvFile says that there is no such file.
  accessSync(file, constants.R_OK);
  process.loadEnvFile(file);
}
process.env.__NEXT_PROCESSED_ENV = "true";
