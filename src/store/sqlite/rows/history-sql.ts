/**
 * Every statement that reads history. Each one searches an index and never scans the closes. A test
 * checks SQLite's query plan of each statement.
 */
export const historySql = {
  series: `
    SELECT day, close, volume FROM closes
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = ?) AND day BETWEEN ? AND ?
    ORDER BY day`,

  rows: `
    SELECT day, close, volume, open, high, low, sources.name
    FROM closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = ?) AND day BETWEEN ? AND ?
    ORDER BY day`,

  latest: `
    SELECT day, close, volume, open, high, low, sources.name
    FROM closes LEFT JOIN sources ON sources.id = source_id
    WHERE instrument_id = (SELECT id FROM instruments WHERE ticker = ?)
    ORDER BY day DESC LIMIT 1`,

  references: `
    SELECT previous.day, previous.close, month.day, month.close, year.day, year.close
    FROM instruments
    LEFT JOIN closes AS previous ON previous.instrument_id = instruments.id AND previous.day =
      (SELECT max(day) FROM closes WHERE instrument_id = instruments.id AND day < ?)
    LEFT JOIN closes AS month ON month.instrument_id = instruments.id AND month.day =
      (SELECT max(day) FROM closes WHERE instrument_id = instruments.id AND day < ?)
    LEFT JOIN closes AS year ON year.instrument_id = instruments.id AND year.day =
      (SELECT max(day) FROM closes WHERE instrument_id = instruments.id AND day < ?)
    WHERE ticker = ?`,

  revision: `SELECT value FROM revisions WHERE subject = 'closes'`,

  changed: `SELECT ticker FROM instruments WHERE closes_revision > ?`,
} as const;
