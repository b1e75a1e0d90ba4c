import type { ConventionName } from '../market/api/quote.ts';
import type { FindFacts } from '../market/sort-rows.ts';
import type { Row } from '../market/live-quotes.ts';
import type { ColumnField } from '../market/columns.ts';
import { instrumentColumns, isInstrumentField } from '../market/facts/instrument-columns.ts';
import { isInPesos } from '../chart/figures/conversion.ts';
import { instruments } from '../market/instruments.ts';
import type { ExportTable } from '../ui/csv.ts';

/** Whether a column has figures that depend on the convention. */
function isByConvention(field: string): boolean {
  return isInstrumentField(field) && instrumentColumns[field].isByConvention === true;
}

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
  const fields = columns.flatMap((field) => {
    if (field === 'rueda') return [];
    return field === 'hora' ? (['fecha', 'hora'] as const) : [field];
  });
  const valueOf = ({ ticker, quote }: Row, field: (typeof fields)[number]) =>
    isInstrumentField(field)
      ? instrumentColumns[field].value({ quote, ...factsOf(ticker) })
      : quote?.[field];
  const counted = fields.filter(isByConvention);
  const nameOf = (row: Row) => {
    if (counted.length === 0) return [];
    return [counted.some((field) => valueOf(row, field) !== undefined) ? convention : null];
  };
  const conversionOf = ({ ticker, quote }: Row) => {
    if (dollar === undefined) return [];
    return [quote !== undefined && isInPesos(instruments.value.get(ticker)) ? dollar : null];
  };
  return {
    fields: [
      'especie',
      ...fields,
      ...(counted.length === 0 ? [] : ['convencion']),
      ...(dollar === undefined ? [] : ['conversion']),
    ],
    rows: rows.map((row) => [
      row.ticker,
      ...fields.map((field) => valueOf(row, field) ?? null),
      ...nameOf(row),
      ...conversionOf(row),
    ]),
  };
}
