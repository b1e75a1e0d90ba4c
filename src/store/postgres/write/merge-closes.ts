import type { Statement } from '../session/session.ts';
import { priceColumns } from './staged-closes.ts';

const list = (prefix: string): string =>
  priceColumns.map((column) => `${prefix}${column}`).join(', ');

/** Whether two closes differ in a value or in the source. */
export const closesDiffer = `(${list('held.')}, held.source_id) IS DISTINCT FROM (${list('excluded.')}, excluded.source_id)`;

/** Sets all values of a close, its source and its change included. */
export const replaceClose = [...priceColumns, 'source_id', 'change_id']
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/** Increments the revision of closes and marks the instruments in `ids`. Both locks are held to the end. */
export const raiseCloses = `
  raised AS (
    UPDATE revisions SET value = value + 1
    WHERE subject = 'closes' AND (SELECT count(*) FROM ids) > 0
    RETURNING value
  ), marked AS (
    UPDATE instruments SET closes_revision = raised.value
    FROM raised WHERE id IN (SELECT instrument_id FROM ids)
  )`;

/** A new id for the change that a statement makes. */
export const newChange = `
  change AS MATERIALIZED (SELECT nextval(pg_get_serial_sequence('changes', 'id'))::integer AS id)`;

/** Notes the change, if closes of the instruments in `ids` have changed. */
export const noteChange = (at: string, origin: string): string => `
  noted AS (
    INSERT INTO changes (id, at, origin)
    SELECT change.id, ${at}::bigint, ${origin}::text FROM change WHERE EXISTS (SELECT FROM ids)
  )`;

/** Gives an id to each instrument and each source of the staged closes. */
export const addNames: readonly Statement[] = [
  {
    text: `
      INSERT INTO instruments (ticker)
      SELECT DISTINCT ticker FROM staged_closes
      WHERE NOT EXISTS (SELECT FROM instruments WHERE instruments.ticker = staged_closes.ticker)
      ORDER BY ticker ON CONFLICT DO NOTHING`,
  },
  {
    text: `
      INSERT INTO sources (name)
      SELECT DISTINCT source FROM staged_closes
      WHERE source IS NOT NULL AND NOT EXISTS (SELECT FROM sources WHERE name = source)
      ORDER BY source ON CONFLICT DO NOTHING`,
  },
];

/** The staged row of the close that conflicts with a stored one. */
const stagedRow = `
  FROM staged_closes AS staged
  JOIN instruments ON instruments.ticker = staged.ticker
  WHERE instruments.id = excluded.instrument_id AND staged.day = excluded.day`;

/**
 * Moves the staged closes to the real table. It is the last statement of the transaction: rows are locked
 * from here on, always in the order of instrument and day, then the counter, then the instruments.
 *
 * Closes that are equal are left out: a conflict would lock their rows, and the commits of the writer would wait
 * for them. A close that another process has changed since this transaction read it ends the transaction. Otherwise the
 * decision to replace it would be based on a value that does not exist any more.
 *
 * $1: the channel of notifications. $2 and $3: the instant and the origin of the change.
 */
export const mergeCloses: Statement = {
  text: `
    WITH ${newChange}, merged AS (
      INSERT INTO closes AS held (instrument_id, day, ${list('')}, source_id, change_id)
      SELECT instruments.id, staged.day, ${list('staged.')}, sources.id, (SELECT id FROM change)
      FROM staged_closes AS staged
      JOIN instruments ON instruments.ticker = staged.ticker
      LEFT JOIN sources ON sources.name = staged.source
      LEFT JOIN closes AS stored ON stored.instrument_id = instruments.id AND stored.day = staged.day
      WHERE stored.day IS NULL OR staged.is_forced OR (${list('stored.')}, stored.source_id) IS DISTINCT FROM (${list('staged.')}, sources.id)
      ORDER BY instruments.id, staged.day
      ON CONFLICT (instrument_id, day) DO UPDATE SET ${replaceClose}
      WHERE (
        ${closesDiffer} OR (SELECT staged.is_forced ${stagedRow})
      ) AND (
        SELECT CASE
          WHEN staged.seen = 1 THEN changed_meanwhile(staged.ticker, staged.day)
          WHEN staged.seen = 2 AND (${list('held.')}, (SELECT name FROM sources WHERE id = held.source_id))
            IS DISTINCT FROM (${list('staged.seen_')}, staged.seen_source)
            THEN changed_meanwhile(staged.ticker, staged.day)
          ELSE true
        END
        ${stagedRow}
      )
      RETURNING instrument_id
    ), ids AS (
      SELECT DISTINCT instrument_id FROM merged
    ), ${noteChange('$2', '$3')}, ${raiseCloses}
    SELECT (SELECT count(pg_notify($1, 'history')) FROM raised)`,
};
