-- What lender operations may do: read everything but the hashes of tokens, and write nothing.
-- Grant this group role to the people's own roles; `npm run studio` takes it on by itself.
DO $$
BEGIN
  CREATE ROLE rent_advance_operations NOLOGIN;
EXCEPTION
  -- Roles belong to the whole server: another database, or a migration at the same moment, may have made it.
  WHEN duplicate_object OR unique_violation THEN NULL;
END;
$$;

DO $$
BEGIN
  EXECUTE format('GRANT rent_advance_operations TO %I', current_user);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO rent_advance_operations', current_schema());
END;
$$;

GRANT SELECT ON "applications", "links", "consent_records", "events", "rate_limits" TO rent_advance_operations;

-- Prisma's own record of these migrations is the first table that Studio opens.
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NOT NULL THEN
    GRANT SELECT ON _prisma_migrations TO rent_advance_operations;
  END IF;
END;
$$;
