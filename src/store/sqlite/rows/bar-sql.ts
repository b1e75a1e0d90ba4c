/**
 * Every statement that reads bars. Each one searches an index and never scans a table. A test checks
 * SQLite's query plan of each statement.
 */
export const barSql = {
  instrument: `SELECT id FROM instruments WHERE ticker = ?`,

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
} as const;
