import { useEmbeddedPostgres } from "@/lib/server/database/embedded";

/** A process that uses the embedded Postgres of a folder: prints the URL and exits when stdin closes. */
useEmbeddedPostgres(process.argv[2]).then(
  (url) => {
    console.log(url);
    process.stdin.resume().once("end", () => process.exit());
  },
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
