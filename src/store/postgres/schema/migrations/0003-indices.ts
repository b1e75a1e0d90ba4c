/**
 * The daily values of indices, and those that others have replaced, as in SQLite (migration 9). A user that may
 * read the quotes may read them: a node that only serves has a user of its own, whose rights were granted before
 * these tables existed.
 */
export const indices = `
  CREATE TABLE index_values (
    name text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    value double precision NOT NULL,
    source text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    PRIMARY KEY (name, day)
  );

  CREATE TABLE replaced_index_values (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    day integer NOT NULL,
    value double precision NOT NULL,
    source text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    replaced_at bigint NOT NULL
  );

  INSERT INTO revisions (subject, value) VALUES ('indices', 0);

  DO $$
  DECLARE reader text;
  BEGIN
    FOR reader IN
      SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
      FROM pg_class, aclexplode(relacl)
      WHERE oid = 'quotes'::regclass AND privilege_type = 'SELECT'
    LOOP
      EXECUTE format('GRANT SELECT ON index_values, replaced_index_values TO %s', reader);
    END LOOP;
  END $$;
`;
