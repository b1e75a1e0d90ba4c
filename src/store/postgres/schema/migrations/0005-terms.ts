/**
 * The terms of bonds, and those that others have replaced, as in SQLite (migration 11). A user that may read the quotes
 * may read them: a node that only serves has a user of its own, whose rights were granted before these tables existed.
 */
export const terms = `
  CREATE TABLE bond_terms (
    ticker text COLLATE "C" PRIMARY KEY,
    series text COLLATE "C" NOT NULL,
    terms text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    stored_by text COLLATE "C" NOT NULL
  );

  CREATE TABLE replaced_bond_terms (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticker text COLLATE "C" NOT NULL,
    series text COLLATE "C" NOT NULL,
    terms text COLLATE "C" NOT NULL,
    stored_at bigint NOT NULL,
    stored_by text COLLATE "C" NOT NULL,
    replaced_at bigint NOT NULL,
    replaced_by text COLLATE "C" NOT NULL
  );

  INSERT INTO revisions (subject, value) VALUES ('terms', 0);

  DO $$
  DECLARE reader text;
  BEGIN
    FOR reader IN
      SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
      FROM pg_class, aclexplode(relacl)
      WHERE oid = 'quotes'::regclass AND privilege_type = 'SELECT'
    LOOP
      EXECUTE format('GRANT SELECT ON bond_terms, replaced_bond_terms TO %s', reader);
    END LOOP;
  END $$;
`;
