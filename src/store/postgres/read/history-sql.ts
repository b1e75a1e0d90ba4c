import type { Statement } from '../session/session.ts';

const ofTicker = `instrument_id = (SELECT id FROM instruments WHERE ticker = $1) AND day BETWEEN $2 AND $3`;

/** The last close before a day, of the instrument `i`. */
const lastBefore = (day: string): string => `
  LEFT JOIN LATERAL (
    SELECT day, close FROM closes WHERE instrument_id = i.id AND day < wanted.${day} ORDER BY day DESC LIMIT 1
  ) AS ${day}_base ON true`;

/**
 * Every statement that reads history. Each one searches an index and never scans the closes. A series is
 * returned as the bytes of one array for each column: this takes a third of the time of rows, on both sides.
 */
export const historySql = {
  series: {
    name: 'series',
    text: `
      SELECT array_send(array_agg(day)), array_send(array_agg(close)), array_send(array_agg(volume))
      FROM (SELECT day, close, volume FROM closes WHERE ${ofTicker} ORDER BY day) AS ordered`,
  },

  bars: {
    name: 'bars',
    text: `
      SELECT array_send(array_agg(day)), array_send(array_agg(close)), array_send(array_agg(volume)),
        array_send(array_agg(open)), array_send(array_agg(high)), array_send(array_agg(low))
      FROM (SELECT day, close, volume, open, high, low FROM closes WHERE ${ofTicker} ORDER BY day) AS ordered`,
  },

  count: {
    name: 'count',
    text: `
      SELECT (
        SELECT count(*)::int FROM closes JOIN instruments ON instruments.id = instrument_id
        WHERE instruments.ticker = wanted.ticker AND day BETWEEN $2 AND $3
      )
      FROM unnest($1::text[]) WITH ORDINALITY AS wanted (ticker, position) ORDER BY position`,
  },

  rows: {
    name: 'rows',
    text: `
      SELECT day, close, volume, open, high, low, sources.name
      FROM closes LEFT JOIN sources ON sources.id = source_id
      WHERE ${ofTicker} ORDER BY day`,
  },

  latest: {
    name: 'latest',
    text: `
      SELECT wanted.ticker, last.day, last.close, last.volume, last.open, last.high, last.low, sources.name
      FROM unnest($1::text[]) WITH ORDINALITY AS wanted (ticker, position)
      JOIN instruments AS i ON i.ticker = wanted.ticker
      CROSS JOIN LATERAL (
        SELECT * FROM closes WHERE instrument_id = i.id ORDER BY day DESC LIMIT 1
      ) AS last
      LEFT JOIN sources ON sources.id = last.source_id
      ORDER BY wanted.position`,
  },

  references: {
    name: 'references',
    text: `
      SELECT previous_base.day, previous_base.close, month_base.day, month_base.close,
        year_base.day, year_base.close
      FROM unnest($1::text[], $2::integer[], $3::integer[], $4::integer[]) WITH ORDINALITY
        AS wanted (ticker, previous, month, year, position)
      LEFT JOIN instruments AS i ON i.ticker = wanted.ticker
      ${lastBefore('previous')} ${lastBefore('month')} ${lastBefore('year')}
      ORDER BY wanted.position`,
  },

  changed: {
    name: 'changed',
    text: `
      SELECT value, CASE WHEN value > $1 THEN
        ARRAY(SELECT ticker FROM instruments WHERE closes_revision > $1 ORDER BY id) END
      FROM revisions WHERE subject = 'closes'`,
  },
} as const satisfies Readonly<Record<string, Statement>>;
