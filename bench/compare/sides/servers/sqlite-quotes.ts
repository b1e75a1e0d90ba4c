import { DatabaseSync } from 'node:sqlite';
import {
  quoteColumns,
  type QuoteDatabase,
  type StoredRow,
  type WireClose,
} from './quote-database.ts';

/** The questions over SQLite, each a prepared statement. */
export function openSqliteQuotes(file: string): QuoteDatabase {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  const columns = quoteColumns.map((name) => `q.${name}`).join(', ');
  const one = database.prepare(`SELECT ${columns} FROM quotes q WHERE q.especie = ?`);
  const panel = database.prepare(
    `SELECT ${columns} FROM panels p JOIN quotes q ON q.especie = p.especie
     WHERE p.panel = ? ORDER BY p.position`,
  );
  const closes = database.prepare(
    `SELECT especie, fecha, ultimo, volumen FROM closes
     WHERE especie = ? AND fecha BETWEEN ? AND ? ORDER BY fecha`,
  );
  const update = database.prepare(
    'UPDATE quotes SET ultimo = ?, volumen = coalesce(?, volumen) WHERE especie = ?',
  );
  return {
    quotes: async (tickers) =>
      tickers
        .map((ticker) => one.get(ticker) as unknown as StoredRow | undefined)
        .filter((row) => row !== undefined),
    panel: async (code) => panel.all(code) as unknown as readonly StoredRow[],
    closes: async (ticker, from, to) =>
      closes.all(ticker, from, to) as unknown as readonly WireClose[],
    update: async (updates) => {
      database.exec('BEGIN');
      for (const { ticker, last, volume = null } of updates) update.run(last, volume, ticker);
      database.exec('COMMIT');
    },
  };
}
