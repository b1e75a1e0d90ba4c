import type { Queries } from '../../tables/tables.ts';

/**
 * The key of the log of bars begins with the day and the minute, so each day and each minute of it is searched by
 * itself: a table of all minutes is joined with the bar of each one. The rows of quotes have their seals.
 */
export const queries: Queries = {
  quotes: 'SELECT ticker, version, state, bar, seal FROM quotes',

  newerQuotes:
    'SELECT ticker, version, state, bar, seal FROM quotes WHERE version > $1 ORDER BY version',

  bars: `
  WITH RECURSIVE days (day) AS (
    SELECT min(day) FROM minute_bars WHERE day BETWEEN $2 AND $3
    UNION ALL
    SELECT (SELECT min(day) FROM minute_bars WHERE minute_bars.day > days.day AND minute_bars.day <= $3)
    FROM days WHERE days.day IS NOT NULL
  ), minutes (day, minute, last) AS (
    SELECT day, max($4, (SELECT min(minute) FROM minute_bars WHERE minute_bars.day = days.day)),
      (SELECT max(minute) FROM minute_bars WHERE minute_bars.day = days.day)
    FROM days WHERE day IS NOT NULL
    UNION ALL SELECT day, minute + 1, last FROM minutes WHERE minute < last
  )
  SELECT bars.day, bars.minute, open, high, low, bars.last, volume, NULL
  FROM minutes CROSS JOIN minute_bars AS bars
    ON bars.day = minutes.day AND bars.minute = minutes.minute
    AND instrument_id = (SELECT id FROM instruments WHERE ticker = $1)
  UNION ALL
  SELECT day, NULL, NULL, NULL, NULL, NULL, NULL, bars FROM session_bars
  WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3`,
};
