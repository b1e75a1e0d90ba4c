import type { Statement } from '../session/session.ts';

const ofTicker = `instrument_id = (SELECT id FROM instruments WHERE ticker = $1)`;

const values = 'day, close, volume, open, high, low, source_id, change_id';

/** The statements that read the memory of closes. */
export const memorySql = {
  /** The first change is the creation of the store. */
  began: { name: 'memory-began', text: 'SELECT at FROM changes ORDER BY id LIMIT 1' },

  closes: {
    name: 'close-versions',
    text: `
      SELECT day, close, volume, open, high, low, sources.name, stored.at, stored.origin,
        replaced.at, replaced.origin
      FROM (
        SELECT ${values}, replaced_by, position FROM replaced_closes
        WHERE ${ofTicker} AND day BETWEEN $2 AND $3
        UNION ALL
        SELECT ${values}, NULL, NULL FROM closes WHERE ${ofTicker} AND day BETWEEN $2 AND $3
      ) AS versions
      LEFT JOIN sources ON sources.id = source_id
      JOIN changes AS stored ON stored.id = change_id
      LEFT JOIN changes AS replaced ON replaced.id = replaced_by
      ORDER BY day, position NULLS LAST`,
  },

  count: {
    name: 'close-count-known',
    text: `
      SELECT (
        SELECT count(*)::int FROM closes JOIN changes ON changes.id = change_id
        WHERE instrument_id = instruments.id AND day BETWEEN $2 AND $3 AND at <= $4
      ) + (
        SELECT count(*)::int FROM replaced_closes
        JOIN changes AS stored ON stored.id = change_id
        JOIN changes AS replaced ON replaced.id = replaced_by
        WHERE instrument_id = instruments.id AND day BETWEEN $2 AND $3
          AND stored.at <= $4 AND replaced.at > $4
      )
      FROM unnest($1::text[]) WITH ORDINALITY AS wanted (ticker, position)
      LEFT JOIN instruments ON instruments.ticker = wanted.ticker ORDER BY position`,
  },

  first: {
    name: 'close-known-since',
    text: `
      SELECT min(at)
      FROM (
        SELECT change_id FROM closes WHERE ${ofTicker}
        UNION SELECT change_id FROM replaced_closes WHERE ${ofTicker}
      ) AS known JOIN changes ON changes.id = change_id`,
  },
} as const satisfies Readonly<Record<string, Statement>>;
