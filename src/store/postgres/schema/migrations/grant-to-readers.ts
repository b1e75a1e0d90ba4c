/**
 * SQL that lets every user who may read the quotes read further tables, too. A node that only serves has a user of its
 * own, whose rights were granted before these tables existed.
 *
 * @param tables their names, separated by commas
 */
export function grantToReaders(tables: string): string {
  return `DO $$
  DECLARE reader text;
  BEGIN
    FOR reader IN
      SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
      FROM pg_class, aclexplode(relacl)
      WHERE oid = 'quotes'::regclass AND privilege_type = 'SELECT'
    LOOP
      EXECUTE format('GRANT SELECT ON ${tables} TO %s', reader);
    END LOOP;
  END $$;`;
}
