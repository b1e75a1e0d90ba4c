/**
 * The tables of an installation. They correspond to those of SQLite (`store/sqlite/schema/migrations/`).
 *
 * - Text is compared by bytes, as SQLite does, so that order and equality do not depend on the locale of the
 *   database. Days are integers. Prices are doubles, which are exact.
 * - `revisions` counts the committed changes of each subject. A transaction increments the counter in its
 *   last statement and keeps the row locked until it ends, so the order of revisions is the order of commits.
 * - `closes` has no foreign key: each row is inserted with an id that is found in the same statement, and
 *   ids are never removed. Checking them would double the time of an import.
 * - The key of `closes` includes close and volume. A session adds a close to each instrument, so the closes of
 *   one instrument are on as many pages of the table as there are sessions. In the index they are side by
 *   side, and a series is read from the index alone, as far as the table was vacuumed since.
 * - The rows of `quotes`, `lease` and `revisions` change all the time. Half-empty pages and no index on what
 *   changes let PostgreSQL replace them in place (heap-only tuples).
 * - `changed_meanwhile` ends the transaction of an import that would replace a close which it has not seen.
 * - `lease` has one row: who may write. Its token rises with each change of the holder, and `commits` with
 *   each commit of one, so that a commit that arrives late is refused (docs/decisions/0013).
 */
export const everything = `
  CREATE TABLE revisions (
    subject text COLLATE "C" PRIMARY KEY,
    value bigint NOT NULL
  ) WITH (fillfactor = 20);

  INSERT INTO revisions (subject, value) VALUES ('closes', 0), ('keys', 0), ('actions', 0);

  CREATE TABLE lease (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    token bigint NOT NULL,
    commits bigint NOT NULL DEFAULT 0,
    holder text,
    name text,
    expires_at timestamptz NOT NULL DEFAULT '-infinity'
  ) WITH (fillfactor = 20);

  INSERT INTO lease (token) VALUES (0);

  CREATE TABLE nodes (
    id text COLLATE "C" PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    record text NOT NULL,
    seen_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);

  CREATE TABLE notes (
    name text COLLATE "C" PRIMARY KEY,
    content text NOT NULL
  );

  CREATE TABLE instruments (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ticker text COLLATE "C" NOT NULL UNIQUE,
    closes_revision bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 70);

  CREATE TABLE sources (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE
  );

  CREATE TABLE closes (
    instrument_id integer NOT NULL,
    day integer NOT NULL,
    close double precision NOT NULL,
    volume double precision,
    open double precision,
    high double precision,
    low double precision,
    source_id integer,
    PRIMARY KEY (instrument_id, day) INCLUDE (close, volume)
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000);

  CREATE FUNCTION changed_meanwhile(ticker text, day integer) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the close of % on day % has changed meanwhile', ticker, day USING ERRCODE = 'PZ001';
  END $$;

  CREATE TABLE corporate_actions (
    ticker text COLLATE "C" NOT NULL,
    ex_day integer NOT NULL,
    type text COLLATE "C" NOT NULL,
    factor double precision,
    amount double precision,
    currency text COLLATE "C",
    new_ticker text COLLATE "C",
    source text COLLATE "C" NOT NULL,
    PRIMARY KEY (ticker, ex_day, type)
  );

  CREATE TABLE api_keys (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    name text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    sha256 text COLLATE "C" NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    disabled_at bigint,
    labels text COLLATE "C",
    plan text COLLATE "C",
    rate_limit text COLLATE "C",
    replaces text COLLATE "C",
    family text COLLATE "C",
    last_used_at bigint
  );

  CREATE UNIQUE INDEX api_keys_by_replaced ON api_keys (replaces)
    WHERE replaces IS NOT NULL AND revoked_at IS NULL;

  CREATE TABLE key_events (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    who text NOT NULL,
    what text NOT NULL,
    key_id text COLLATE "C" NOT NULL,
    detail text NOT NULL
  );

  CREATE INDEX key_events_by_key ON key_events (key_id, position);

  CREATE TABLE quotes (
    ticker text COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    state text NOT NULL,
    bar bytea
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

  CREATE TABLE minute_bars (
    day integer NOT NULL,
    minute integer NOT NULL,
    instrument_id integer NOT NULL,
    open double precision NOT NULL,
    high double precision NOT NULL,
    low double precision NOT NULL,
    last double precision NOT NULL,
    volume double precision,
    PRIMARY KEY (day, minute, instrument_id)
  );

  CREATE TABLE session_bars (
    instrument_id integer NOT NULL,
    day integer NOT NULL,
    bars bytea NOT NULL,
    PRIMARY KEY (instrument_id, day)
  );

  ALTER TABLE session_bars ALTER COLUMN bars SET STORAGE EXTERNAL;
`;
