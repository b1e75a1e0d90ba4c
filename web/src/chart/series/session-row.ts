import type { HistoryRow, Quote } from '../../market/api/quote.ts';

/**
 * Closes with the session in progress as their last row, formed by its quote. `/historicos` has a
 * session only after its end (contract 2.6.4). A session that it has is never replaced by a quote. The
 * closes are on the basis of the session of the quote (contract 4.2.6), so its prices need no
 * adjustment.
 */
export function withSession(
  rows: readonly HistoryRow[],
  quote: Quote | undefined,
): readonly HistoryRow[] {
  const stored = rows.at(-1)?.fecha;
  if (quote === undefined || (stored !== undefined && quote.fecha <= stored)) return rows;
  const { especie, fecha, ultimo, apertura, maximo, minimo, volumen } = quote;
  return [
    ...rows,
    {
      especie,
      fecha,
      ultimo,
      ...(apertura === undefined ? {} : { apertura }),
      ...(maximo === undefined ? {} : { maximo }),
      ...(minimo === undefined ? {} : { minimo }),
      volumen,
    },
  ];
}
