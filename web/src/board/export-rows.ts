import type { ConventionName } from '../market/api/quote.ts';
import type { FindFacts } from '../market/sort-rows.ts';
import type { Row } from '../market/live-quotes.ts';
import { columnsOf, type ColumnField } from '../market/columns.ts';
import type { RowFacts } from '../market/facts/instrument-facts.ts';
import { isInPesos } from '../chart/figures/conversion.ts';
import { instruments } from '../market/instruments.ts';
import type { ExportTable } from '../ui/csv.ts';

/**
 * The rows on a board as a table, with the names of the contract where it has one. Numbers are not rounded.
 * The date is beside the time, because the board shows only one of them.
 *
 * @param factsOf finds the values that are no fields of a quote.
 * @param convention of the figures of bonds. A column names it beside them.
 * @param dollar the instrument by which prices in pesos are divided. A column names it beside them.
 */
export function exportTable(
  rows: readonly Row[],
  columns: readonly ColumnField[],
  {
    factsOf,
    convention,
    dollar,
  }: {
    readonly factsOf: FindFacts;
    readonly convention: ConventionName;
    readonly dollar?: string | undefined;
  },
): ExportTable {
  const shown = columnsOf(columns).filter(({ isDrawn }) => isDrawn !== true);
  const counted = shown.filter(({ isByConvention }) => isByConvention === true);
  const conventionOf: ValueOf = (facts) =>
    counted.some(({ value }) => value(facts) !== undefined) ? convention : undefined;
  const dollarOf: ValueOf = ({ ticker, quote }) =>
    quote !== undefined && isInPesos(instruments.value.get(ticker)) ? dollar : undefined;
  const values: readonly (readonly [field: string, valueOf: ValueOf])[] = [
    ['especie', ({ ticker }) => ticker],
    ...shown.flatMap(({ field, value }): readonly (readonly [string, ValueOf])[] =>
      field === 'hora'
        ? [
            ['fecha', ({ quote }) => quote?.fecha],
            ['hora', ({ quote }) => quote?.hora],
          ]
        : [[field, value]],
    ),
    ...(counted.length === 0 ? [] : [['convencion', conventionOf] as const]),
    ...(dollar === undefined ? [] : [['conversion', dollarOf] as const]),
  ];
  return {
    fields: values.map(([field]) => field),
    rows: rows.map(({ ticker, quote }) => {
      const facts = { ticker, quote, ...factsOf(ticker) };
      return values.map(([, valueOf]) => valueOf(facts) ?? null);
    }),
  };
}

/** The value of a row in a column of the table. */
type ValueOf = (facts: RowFacts & Pick<Row, 'ticker'>) => string | number | undefined;
