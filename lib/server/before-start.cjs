const { readEnvFiles } = require("./env-files.cjs");

// Loaded before Next, which reads the environment files in a way of its own, listens before any setting is read and would end
// in a stack trace of Node's.
readEnvFiles();
const { PORT = "" } = process.env;
if (PORT !== "" && !(Number.isInteger(Number(PORT)) && Number(PORT) >= 1 && Number(PORT) <= 65_535)) {
  process.stderr.write("A setting cannot be used.\nPORT: is not a whole number from 1 to 65535\n");
  process.exit(1);
}
