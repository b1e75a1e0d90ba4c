import type { DatabaseSync } from 'node:sqlite';

import { historySql } from '../../rows/history-sql.ts';
import { prepareSources } from '../../rows/source-ids.ts';
import { InstrumentIds } from '../../seals/instrument-ids.ts';
import { VerifiedCloses } from '../../seals/verified-closes.ts';
import { prepareChanges } from './close-changes.ts';

/** The statements of a connection that writes closes. */
export type CloseStatements = ReturnType<typeof prepareCloses>;

export function prepareCloses(database: DatabaseSync, path: string) {
  return {
    closes: new VerifiedCloses(database, path),
    instruments: new InstrumentIds(database, path),
    rows: database.prepare(historySql.rows),
    put: database.prepare(`
      INSERT INTO closes (instrument_id, day, close, volume, open, high, low, source_id, change_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, day) DO UPDATE SET
        close = excluded.close, volume = excluded.volume,
        open = excluded.open, high = excluded.high, low = excluded.low,
        source_id = excluded.source_id, change_id = excluded.change_id`),
    keep: database.prepare(`
      INSERT INTO replaced_closes
        (instrument_id, day, close, volume, open, high, low, source_id, change_id, position, replaced_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    lastReplaced: database.prepare(historySql.lastReplaced),
    removeReplaced: database.prepare(
      'DELETE FROM replaced_closes WHERE instrument_id = ? AND day = ? AND position = ?',
    ),
    seal: database.prepare(`
      INSERT INTO close_seals (instrument_id, block, rows, prices, rest, replaced_rows, replaced)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (instrument_id, block) DO UPDATE SET rows = rows + excluded.rows,
        prices = (prices + excluded.prices) & 4294967295, rest = (rest + excluded.rest) & 4294967295,
        replaced_rows = replaced_rows + excluded.replaced_rows,
        replaced = (replaced + excluded.replaced) & 4294967295`),
    /** Everything of an instrument, for what replaces it as a whole. */
    removeAll: ['closes', 'replaced_closes', 'close_seals'].map((table) =>
      database.prepare(`DELETE FROM ${table} WHERE instrument_id = ?`),
    ),
    sources: prepareSources(database),
    changes: prepareChanges(database),
    raise: database.prepare(`UPDATE revisions SET value = value + 1 WHERE subject = 'closes'`),
    mark: database.prepare(`
      UPDATE instruments
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE id = ?`),
    markSeal: database.prepare(`
      UPDATE instrument_seals
      SET closes_revision = (SELECT value FROM revisions WHERE subject = 'closes')
      WHERE ticker = ?`),
  };
}
