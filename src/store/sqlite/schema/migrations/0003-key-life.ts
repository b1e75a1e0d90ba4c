/**
 * The lifecycle of a key: when it was disabled, its labels, its plan or rate limit, the key that it
 * replaces and their family, its last use, and the audit log of changes. A key has at most one
 * replacement that is not revoked.
 */
export const keyLife = `
  ALTER TABLE api_keys ADD COLUMN disabled_at INTEGER;
  ALTER TABLE api_keys ADD COLUMN labels TEXT;
  ALTER TABLE api_keys ADD COLUMN plan TEXT;
  ALTER TABLE api_keys ADD COLUMN rate_limit TEXT;
  ALTER TABLE api_keys ADD COLUMN replaces TEXT;
  ALTER TABLE api_keys ADD COLUMN family TEXT;
  ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;

  CREATE UNIQUE INDEX api_keys_by_replaced ON api_keys (replaces)
    WHERE replaces IS NOT NULL AND revoked_at IS NULL;

  CREATE TABLE key_events (
    position INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    key_id TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT;

  CREATE INDEX key_events_by_key ON key_events (key_id, position);
`;
