/**
 * Every statement that reads bars. Each one searches an index and never scans a table. A test checks
 * SQLite's query plan of each statement.
 */
export const barSql = {
  instrumentsAfter: `SELECT id FROM instruments WHERE id > ? ORDER BY id LIMIT ?`,

  firstDay: `SELECT day FROM minute_bars WHERE day >= ? ORDER BY day LIMIT 1`,

  firstMinute: `SELECT minute FROM minute_bars WHERE day = ? ORDER BY minute LIMIT 1`,

  lastMinute: `SELECT minute FROM minute_bars WHERE day = ? ORDER BY minute DESC LIMIT 1`,

  // The key begins with the minute, so each minute of the range is searched by itself.
  logged: `
    WITH RECURSIVE minutes (minute) AS (
      SELECT ?1 WHERE ?1 <= ?2 UNION ALL SELECT minute + 1 FROM minutes WHERE minute < ?2
    )
    SELECT minute_bars.minute, open, high, low, last, volume
    FROM minutes CROSS JOIN minute_bars
      ON minute_bars.day = ?3 AND minute_bars.minute = minutes.minute AND instrument_id = ?4`,

  packed: `
    SELECT day, bars FROM session_bars WHERE instrument_id = ? AND day BETWEEN ? AND ?
    ORDER BY day`,

  latestPacked: `SELECT max(day) FROM session_bars WHERE instrument_id = ?`,

  firstSealedDay: `SELECT day FROM bar_seals WHERE day >= ? ORDER BY day LIMIT 1`,

  firstBlock: `SELECT block FROM bar_seals WHERE day = ? ORDER BY block LIMIT 1`,

  lastBlock: `SELECT block FROM bar_seals WHERE day = ? ORDER BY block DESC LIMIT 1`,

  // As with the bars, each block of the range is searched by itself.
  seals: `
    WITH RECURSIVE blocks (block) AS (
      SELECT ?1 WHERE ?1 <= ?2 UNION ALL SELECT block + 1 FROM blocks WHERE block < ?2
    )
    SELECT bar_seals.block, rows, hash
    FROM blocks CROSS JOIN bar_seals
      ON bar_seals.day = ?3 AND bar_seals.block = blocks.block AND instrument_id = ?4`,

  removeSeals: `
    WITH RECURSIVE blocks (block) AS (
      SELECT ?1 UNION ALL SELECT block + 1 FROM blocks WHERE block < ?2
    )
    DELETE FROM bar_seals
    WHERE day = ?3 AND block IN (SELECT block FROM blocks) AND instrument_id = ?4`,
} as const;
