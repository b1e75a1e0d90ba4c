import postgres from 'postgres';
import type { QuoteDatabase, StoredRow, WireClose } from './quote-database.ts';

/** The questions over PostgreSQL. The client prepares the statements and pipelines them. */
export function openPostgresQuotes(socketDirectory: string): QuoteDatabase {
  const sql = postgres({
    host: socketDirectory,
    username: 'postgres',
    database: 'postgres',
    types: {
      // Keep a date as text, instead of an instant in the machine's time zone.
      date: { to: 1082, from: [1082], serialize: String, parse: (text: string) => text },
    },
  });
  return {
    quotes: async (tickers) => {
      const rows = await sql<StoredRow[]>`
        SELECT especie, fecha, hora, ultimo, variacion, anterior, apertura, minimo, maximo,
          "varMTD", "varYTD", volumen
        FROM quotes WHERE especie = ANY (${tickers as string[]})`;
      return tickers.flatMap((ticker) => rows.find((row) => row.especie === ticker) ?? []);
    },
    panel: (code) => sql<StoredRow[]>`
        SELECT q.especie, fecha, hora, ultimo, variacion, anterior, apertura, minimo, maximo,
          "varMTD", "varYTD", volumen
        FROM panels p JOIN quotes q ON q.especie = p.especie
        WHERE p.panel = ${code} ORDER BY p.position`,
    closes: (ticker, from, to) => sql<WireClose[]>`
        SELECT especie, fecha, ultimo, volumen FROM closes
        WHERE especie = ${ticker} AND fecha BETWEEN ${from} AND ${to} ORDER BY fecha`,
    update: async (updates) => {
      await sql`
        UPDATE quotes SET ultimo = u.last, volumen = coalesce(u.volume, volumen)
        FROM unnest(
          ${updates.map((one) => one.ticker)}::text[],
          ${updates.map((one) => one.last)}::float8[],
          ${updates.map((one) => one.volume ?? null)}::float8[]
        ) AS u (ticker, last, volume)
        WHERE especie = u.ticker`;
    },
  };
}
