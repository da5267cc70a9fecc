const { existsSync } = require("node:fs");

/*
 * Sets the variables of .env.local and .env that the environment lacks, without expanding `$`. Next would read the files again
 * and expand every `$`, even in values that are already set. __NEXT_PROCESSED_ENV prevents that, in child processes, too.
 */
for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
process.env.__NEXT_PROCESSED_ENV = "true";
