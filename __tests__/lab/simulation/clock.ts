import type { Client } from "pg";

/**
 * The simulation moves one clock forward for both the database and JavaScript. In the database, `public.now()` replaces
 * Postgres's own function, because the search path names `public` before `pg_catalog`. It adds the shift that was in force
 * when the transaction began, so it returns the same time throughout a transaction.
 */
const clockSql = `
  CREATE TABLE public.clock_shifts (at timestamptz PRIMARY KEY, shift interval NOT NULL);
  INSERT INTO public.clock_shifts VALUES ('-infinity', '0');
  GRANT SELECT ON public.clock_shifts TO PUBLIC;
  CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE plpgsql STABLE
    AS 'BEGIN
      RETURN pg_catalog.now()
        + (SELECT shift FROM public.clock_shifts WHERE at <= pg_catalog.now() ORDER BY at DESC LIMIT 1);
    END';`;

/** Redirects what the migrations have bound to Postgres's own clock: column defaults and the functions' search paths. */
const redirectSql = `
  DO $$
  DECLARE
    one record;
  BEGIN
    FOR one IN SELECT table_name, column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_default ~ '(^|[^_])now\\(\\)|CURRENT_TIMESTAMP|transaction_timestamp'
    LOOP
      EXECUTE format('ALTER TABLE public.%I ALTER COLUMN %I SET DEFAULT public.now()', one.table_name, one.column_name);
    END LOOP;
    FOR one IN SELECT oid::regprocedure AS name FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND proname <> 'now' AND prokind = 'f'
    LOOP
      EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_catalog, pg_temp', one.name);
    END LOOP;
  END $$;`;

/** Installs the clock in a migrated database, as its owner. It applies to every connection that is opened afterwards. */
export async function installClock(owner: Client): Promise<void> {
  await owner.query(clockSql);
  await owner.query(redirectSql);
  const { rows } = await owner.query("SELECT current_database() AS name");
  const database = owner.escapeIdentifier(rows[0].name);
  await owner.query(`ALTER DATABASE ${database} SET search_path = public, pg_catalog`);
}

const RealDate = Date;
/** The machine's elapsed time, which no jump of the simulated clock changes. */
export const stopwatch = performance.now.bind(performance);
let shiftMs = 0;
let jumpedMs = 0;

/** Makes `Date` and `performance.now()` return the simulated time. Timers keep the machine's time. */
export function shiftDate(): void {
  performance.now = () => stopwatch() + jumpedMs;
  const now = () => RealDate.now() + shiftMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, args, target) => Reflect.construct(date, args.length > 0 ? args : [now()], target),
    apply: () => new RealDate(now()).toString(),
    get: (date, name, receiver) => (name === "now" ? now : Reflect.get(date, name, receiver)),
  });
}

export function restoreDate(): void {
  globalThis.Date = RealDate;
  performance.now = stopwatch;
}

/** Sets the clocks of the database and of JavaScript to this time. */
export async function setClock(owner: Client, time: number): Promise<void> {
  const before = shiftMs;
  shiftMs = time - RealDate.now();
  jumpedMs += Math.max(0, shiftMs - before);
  await owner.query(
    "INSERT INTO public.clock_shifts VALUES (pg_catalog.clock_timestamp(), make_interval(secs => $1)) ON CONFLICT (at) DO NOTHING",
    [shiftMs / 1000],
  );
}
