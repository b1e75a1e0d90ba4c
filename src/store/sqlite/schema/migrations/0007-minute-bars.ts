/**
 * The bars of single minutes. A bar is added to `minute_bars`, in order of time, so that the bars of all
 * instruments that finish together are on a few adjacent pages. When a day is over, the bars of each
 * instrument are packed into one row of `session_bars`, which takes a quarter of the space, and the day is
 * removed from `minute_bars` ([decision 12](docs/decisions/0012-bars-of-minutes.md)). `minute` counts from the
 * start of 1970 in UTC. A row of `minute_bars` is inserted with the id that is found in the same statement, so
 * its foreign key need not be checked.
 *
 * `quotes.bar` is the bar under way, in the form of `live-bar-column.ts`: it is written with nearly every
 * quote, and as JSON it takes several times as long.
 */
export const minuteBars = `
  CREATE TABLE minute_bars (
    day INTEGER NOT NULL,
    minute INTEGER NOT NULL,
    instrument_id INTEGER NOT NULL,
    open REAL NOT NULL,
    high REAL NOT NULL,
    low REAL NOT NULL,
    last REAL NOT NULL,
    volume REAL,
    PRIMARY KEY (day, minute, instrument_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session_bars (
    instrument_id INTEGER NOT NULL REFERENCES instruments (id),
    day INTEGER NOT NULL,
    bars BLOB NOT NULL,
    PRIMARY KEY (instrument_id, day)
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE quotes ADD COLUMN bar BLOB;
`;
