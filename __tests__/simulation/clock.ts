import type { Client } from "pg";

/**
 * One clock for the database and for JavaScript, which the simulation moves forward. In the database a function `now()` in
 * `public`, which the search path names before `pg_catalog`, takes the place of Postgres's own. It adds the shift that was in
 * force when the transaction began, so that it stays the same for as long as a transaction lasts.
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

/** What Postgres resolved while the migrations ran: defaults of columns, and the search path of each function. */
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

/** In a migrated database, as its owner. It holds for every connection that is opened afterwards. */
export async function installClock(owner: Client): Promise<void> {
  await owner.query(clockSql);
  await owner.query(redirectSql);
  const { rows } = await owner.query("SELECT current_database() AS name");
  const database = owner.escapeIdentifier(rows[0].name);
  await owner.query(`ALTER DATABASE ${database} SET search_path = public, pg_catalog`);
}

const RealDate = Date;
/** Of the machine, which no jump moves. */
export const stopwatch = performance.now.bind(performance);
let shiftMs = 0;
let jumpedMs = 0;

/** `Date` and `performance.now()` as simulated. Timers keep the machine's time. */
export function shiftDate(): void {
  performance.now = () => stopwatch() + jumpedMs;
  const now = () => RealDate.now() + shiftMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, given, target) => Reflect.construct(date, given.length > 0 ? given : [now()], target),
    apply: () => new RealDate(now()).toString(),
    get: (date, name, receiver) => (name === "now" ? now : Reflect.get(date, name, receiver)),
  });
}

export function restoreDate(): void {
  globalThis.Date = RealDate;
  performance.now = stopwatch;
}

/** Sets both clocks to this time. */
export async function setClock(owner: Client, time: number): Promise<void> {
  const before = shiftMs;
  shiftMs = time - RealDate.now();
  jumpedMs += Math.max(0, shiftMs - before);
  await owner.query(
    "INSERT INTO public.clock_shifts VALUES (pg_catalog.clock_timestamp(), make_interval(secs => $1)) ON CONFLICT (at) DO NOTHING",
    [shiftMs / 1000],
  );
}
