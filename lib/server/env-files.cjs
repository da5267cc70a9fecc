const { existsSync } = require("node:fs");

/*
 * Sets what .env.local and .env say and the environment does not, as it is written. Next would read the same files again and
 * expand every `$`, also in values that are set already: the variable says, to this process and its children, that they are read.
 */
for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
process.env.__NEXT_PROCESSED_ENV = "true";
