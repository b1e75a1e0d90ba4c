import type { InstrumentInfo } from '../../market/api/quote.ts';
import type { Freshness } from '../../market/freshness.ts';
import { changeUnitOf } from '../../market/instruments.ts';
import type { Row } from '../../market/live-quotes.ts';
import { sortRows, type Sorting } from '../../market/sort-rows.ts';

/** Maximum number of instruments of a ranking: that of `/ranking` (contract 4.16). */
const countMax = 10;

/** A row with a quote of the session. */
export type RankedRow = Row & { readonly quote: NonNullable<Row['quote']> };

/** The first instruments of a board by one value. */
export interface Ranking {
  readonly title: string;
  readonly rows: readonly RankedRow[];
}

/**
 * The rankings of a board: the greatest rises, the greatest falls, and the largest amounts of each currency, because
 * amounts in several currencies cannot be compared. The rows are those of `/ranking`: quotes of the session of their
 * market, and for changes those in percent. A rise is above zero, and a fall below.
 */
export function rankingsOf(
  rows: readonly Row[],
  infoOf: (ticker: string) => InstrumentInfo | undefined,
  freshnessOf: (quote: RankedRow['quote']) => Freshness,
): readonly Ranking[] {
  const current = rows.filter(
    (row): row is RankedRow => row.quote !== undefined && freshnessOf(row.quote) !== 'earlier',
  );
  const compared = current.filter(({ ticker }) => changeUnitOf(infoOf(ticker)) === 'percent');
  const traded = Map.groupBy(
    current.filter(({ quote }) => (quote.monto ?? 0) > 0),
    ({ ticker }) => infoOf(ticker)?.moneda ?? '',
  );
  return [
    {
      title: 'Mayores subas',
      rows: firstOf(
        compared.filter(({ quote }) => (quote.variacion ?? 0) > 0),
        { field: 'variacion', isDescending: true },
      ),
    },
    {
      title: 'Mayores bajas',
      rows: firstOf(
        compared.filter(({ quote }) => (quote.variacion ?? 0) < 0),
        { field: 'variacion', isDescending: false },
      ),
    },
    ...[...traded]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([currency, own]) => ({
        title: currency === '' ? 'Más operadas' : `Más operadas en ${currency}`,
        rows: firstOf(own, { field: 'monto', isDescending: true }),
      })),
  ];
}

function firstOf(rows: readonly RankedRow[], sorting: Sorting): readonly RankedRow[] {
  return (sortRows(rows, sorting) as readonly RankedRow[]).slice(0, countMax);
}
