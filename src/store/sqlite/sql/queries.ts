import type { Queries } from '../../tables/tables.ts';

/**
 * A relation of the days from `$2` to `$3` with the values from `$4` on of a column, named as the column with an s. The
 * key of the table is the day, this column and the instrument. So a join with the relation searches the rows of one
 * instrument, and reads no others.
 */
export const rangeOf = (table: string, column: string): string => `
  WITH RECURSIVE days (day) AS (
    SELECT min(day) FROM ${table} WHERE day BETWEEN $2 AND $3
    UNION ALL
    SELECT (SELECT min(day) FROM ${table} WHERE ${table}.day > days.day AND ${table}.day <= $3)
    FROM days WHERE days.day IS NOT NULL
  ), ${column}s (day, ${column}, last) AS (
    SELECT day, max($4, (SELECT min(${column}) FROM ${table} WHERE ${table}.day = days.day)),
      (SELECT max(${column}) FROM ${table} WHERE ${table}.day = days.day)
    FROM days WHERE day IS NOT NULL
    UNION ALL SELECT day, ${column} + 1, last FROM ${column}s WHERE ${column} < last
  )`;

/** The rows of quotes have their seals. */
export const queries: Queries = {
  quotes: 'SELECT ticker, version, state, bar, seal FROM quotes',

  newerQuotes:
    'SELECT ticker, version, state, bar, seal FROM quotes WHERE version > $1 ORDER BY version',

  bars: `${rangeOf('minute_bars', 'minute')}
  SELECT bars.day, bars.minute, open, high, low, bars.last, volume, NULL
  FROM minutes CROSS JOIN minute_bars AS bars
    ON bars.day = minutes.day AND bars.minute = minutes.minute
    AND instrument_id = (SELECT id FROM instruments WHERE ticker = $1)
  UNION ALL
  SELECT day, NULL, NULL, NULL, NULL, NULL, NULL, bars FROM session_bars
  WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3`,
};
