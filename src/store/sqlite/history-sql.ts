/**
 * Every statement that reads history. Each is a search of an index, never a scan of the closes: a
 * test asks SQLite for the plan of every one of them.
 */
export const historySql = {
  series: `
    SELECT day, close, volume FROM closes
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = ?) AND day BETWEEN ? AND ?
    ORDER BY day`,

  rows: `
    SELECT day, close, volume, open, high, low FROM closes
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = ?) AND day BETWEEN ? AND ?
    ORDER BY day`,

  latest: `
    SELECT day, close, volume, open, high, low FROM closes
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = ?)
    ORDER BY day DESC LIMIT 1`,

  references: `
    SELECT
      (SELECT close FROM closes
        WHERE instrument_id = instruments.id AND day < ? ORDER BY day DESC LIMIT 1),
      (SELECT close FROM closes
        WHERE instrument_id = instruments.id AND day < ? ORDER BY day DESC LIMIT 1),
      (SELECT close FROM closes
        WHERE instrument_id = instruments.id AND day < ? ORDER BY day DESC LIMIT 1)
    FROM instruments WHERE ticker = ?`,

  revision: `SELECT value FROM revisions WHERE subject = 'closes'`,

  changed: `SELECT ticker FROM instruments WHERE closes_revision > ?`,
} as const;
