/**
 * What the life of a key needs beyond its making: its end on trial, its allowance, its line of
 * descent, its last use; and the log of who changed what. A key is
 * replaced by one other at most, unless that one is revoked.
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
