import type { Queries } from '../../tables/tables.ts';

const columns = 'quotes.ticker, quotes.version, quotes.state';

export const queries: Queries = {
  quotes: `SELECT ${columns} FROM quotes`,

  /**
   * Reads only the quotes that the notes of changes name, if the notes are complete: if there is one with this
   * version or a lower one. Otherwise it reads the whole table. Both are one snapshot.
   *
   * OFFSET 0 makes the server search each ticker in the index: it cannot know that there are few.
   */
  newerQuotes: `
    WITH known AS MATERIALIZED (
      SELECT EXISTS (
        SELECT FROM (SELECT FROM quote_changes WHERE version <= $1 ORDER BY version DESC LIMIT 1) AS earlier
      ) AS is_complete
    ), changed AS MATERIALIZED (
      SELECT DISTINCT unnest(tickers) COLLATE "C" AS ticker FROM (
        SELECT tickers FROM quote_changes WHERE version > $1 ORDER BY version
      ) AS later
      WHERE (SELECT is_complete FROM known)
    )
    SELECT found.* FROM changed CROSS JOIN LATERAL (
      SELECT ${columns} FROM quotes WHERE quotes.ticker = changed.ticker OFFSET 0
    ) AS found
    WHERE found.version > $1
    UNION ALL
    SELECT ${columns} FROM quotes WHERE version > $1 AND NOT (SELECT is_complete FROM known)
    ORDER BY 2`,

  /**
   * The key of the log of bars begins with the day and the minute, so each day and each minute of it is searched by
   * itself: a table of all minutes is joined with the bar of each one. With the limit, PostgreSQL searches the index
   * for each minute. Without it, PostgreSQL could scan the table once, because it does not know the number of minutes.
   */
  bars: `
  WITH RECURSIVE days (day) AS (
    SELECT min(day) FROM minute_bars WHERE day BETWEEN $2::integer AND $3::integer
    UNION ALL
    SELECT (SELECT min(day) FROM minute_bars WHERE minute_bars.day > days.day AND minute_bars.day <= $3::integer)
    FROM days WHERE days.day IS NOT NULL
  )
  SELECT bars.day, bars.minute, open, high, low, last, volume, NULL
  FROM instruments
  CROSS JOIN days
  CROSS JOIN LATERAL (
    SELECT (SELECT min(minute) FROM minute_bars WHERE minute_bars.day = days.day) AS first,
      (SELECT max(minute) FROM minute_bars WHERE minute_bars.day = days.day) AS last_one
  ) AS ends
  CROSS JOIN LATERAL generate_series(greatest(ends.first, $4::integer), ends.last_one) AS minutes (minute)
  CROSS JOIN LATERAL (
    SELECT * FROM minute_bars
    WHERE minute_bars.day = days.day AND minute_bars.minute = minutes.minute AND instrument_id = instruments.id
    LIMIT 1
  ) AS bars
  WHERE instruments.ticker = $1
  UNION ALL
  SELECT day, NULL, NULL, NULL, NULL, NULL, NULL, bars FROM session_bars
  WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3`,
};
