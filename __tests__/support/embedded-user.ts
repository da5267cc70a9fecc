import { embeddedPostgres } from "@/lib/server/database/embedded";

/** A process that uses the embedded Postgres of a folder: says its URL, and ends when its input does. */
embeddedPostgres(process.argv[2]).then(
  (url) => {
    console.log(url);
    process.stdin.resume().once("end", () => process.exit());
  },
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
