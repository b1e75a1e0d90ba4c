import type { Queries } from '../../tables/tables.ts';
import { rangeOf } from '../file/range-of.ts';

/** The rows of quotes have their seals. */
export const queries: Queries = {
  quotes: 'SELECT ticker, version, state, seal FROM quotes',

  newerQuotes:
    'SELECT ticker, version, state, seal FROM quotes WHERE version > $1 ORDER BY version',

  bars: `${rangeOf('minute_bars', 'minute')}
  SELECT bars.day, bars.minute, open, high, low, bars.last, volume, NULL
  FROM minutes CROSS JOIN minute_bars AS bars
    ON bars.day = minutes.day AND bars.minute = minutes.minute
    AND instrument_id = (SELECT id FROM instruments WHERE ticker = $1)
  UNION ALL
  SELECT day, NULL, NULL, NULL, NULL, NULL, NULL, bars FROM session_bars
  WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3`,
};
