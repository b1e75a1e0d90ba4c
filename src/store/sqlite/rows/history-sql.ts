/**
 * Every statement that reads history. Each one searches an index and never scans the closes. A test
 * checks SQLite's query plan of each statement.
 */
export const historySql = {
  ids: `
    SELECT (SELECT id FROM instruments WHERE ticker = ?1),
      (SELECT id FROM instrument_seals WHERE ticker = ?1)`,

  series: `
    SELECT day, close, volume FROM closes
    WHERE instrument_id = ? AND day BETWEEN ? AND ? ORDER BY day`,

  count: `SELECT count(*) FROM closes WHERE instrument_id = ? AND day BETWEEN ? AND ?`,

  rows: `
    SELECT day, close, volume, open, high, low, sources.name, change_id
    FROM closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = ? AND day BETWEEN ? AND ? ORDER BY day`,

  replaced: `
    SELECT day, close, volume, open, high, low, sources.name, change_id, position, replaced_by
    FROM replaced_closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = ? AND day BETWEEN ? AND ? ORDER BY day, position`,

  lastReplaced: `
    SELECT day, close, volume, open, high, low, sources.name, change_id, position, replaced_by
    FROM replaced_closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = ? AND day = ? ORDER BY position DESC LIMIT 1`,

  countKnown: `
    SELECT (
      SELECT count(*) FROM closes CROSS JOIN changes ON changes.id = change_id
      WHERE instrument_id = ?1 AND day BETWEEN ?2 AND ?3 AND at <= ?4
    ) + (
      SELECT count(*) FROM replaced_closes
      CROSS JOIN changes AS stored ON stored.id = change_id
      CROSS JOIN changes AS replaced ON replaced.id = replaced_by
      WHERE instrument_id = ?1 AND day BETWEEN ?2 AND ?3 AND stored.at <= ?4 AND replaced.at > ?4
    )`,

  change: `SELECT id, at, origin, seal FROM changes WHERE id = ?`,

  lastBefore: `
    SELECT day FROM closes WHERE instrument_id = ? AND day < ? ORDER BY day DESC LIMIT 1`,

  seals: `
    SELECT block, rows, prices, rest, replaced_rows, replaced FROM close_seals
    WHERE instrument_id = ? AND block BETWEEN ? AND ? ORDER BY block`,

  revision: `SELECT value FROM revisions WHERE subject = 'closes'`,

  changed: `
    SELECT ticker FROM instruments WHERE closes_revision > ? ORDER BY closes_revision, ticker`,

  changedSeals: `
    SELECT ticker FROM instrument_seals WHERE closes_revision > ? ORDER BY closes_revision, ticker`,
} as const;
