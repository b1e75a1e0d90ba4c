import type { Quote } from './quote.ts';

/** The values by which quotes are ranked; null where a quote has none. */
const values = {
  change: ({ change }: Quote) => (change?.unit === 'percent' ? change.value : null),
  monthToDatePct: (quote: Quote) => quote.monthToDatePct,
  yearToDatePct: (quote: Quote) => quote.yearToDatePct,
  volume: (quote: Quote) => quote.volume,
  amount: ({ book }: Quote) => book?.amount ?? null,
} as const satisfies Readonly<Record<string, (quote: Quote) => number | null>>;

/** One of the values by which quotes are ranked. A change in points is not comparable with one in percent. */
export type RankBy = keyof typeof values;

export type RankOrder = 'descending' | 'ascending';

/** How quotes are ranked. */
export interface Ranking {
  readonly by: RankBy;
  readonly order: RankOrder;
  /** Maximum number of quotes. */
  readonly limit: number;
}

/** The first quotes of a ranking. Quotes without the value are left out. Equal ones keep their order. */
export function rankQuotes(
  quotes: readonly Quote[],
  { by, order, limit }: Ranking,
): readonly Quote[] {
  const sign = order === 'ascending' ? 1 : -1;
  return quotes
    .flatMap((quote) => {
      const value = values[by](quote);
      return value === null ? [] : [{ quote, value }];
    })
    .toSorted((a, b) => sign * (a.value - b.value))
    .slice(0, limit)
    .map(({ quote }) => quote);
}
