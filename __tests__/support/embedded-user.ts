import { embeddedPostgres } from "@/lib/server/db/embedded";

/** A process that uses the embedded Postgres of a folder. It prints the URL, and exits once its input ends. */
embeddedPostgres(process.argv[2], { stopAtExit: true }).then(
  ({ owner }) => {
    console.log(owner);
    process.stdin.resume();
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
