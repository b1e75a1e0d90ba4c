import type { HistoryRow, IntradayRow } from '../../market/api/quote.ts';
import type { ExportTable } from '../../ui/csv.ts';
import { formatTimeOfBar, type Bar } from '../drawing/bars.ts';
import type { InDollars } from './conversion.ts';

/** A row of a table of the contract, perhaps in dollars. */
type PriceRow = HistoryRow | IntradayRow | InDollars<HistoryRow> | InDollars<IntradayRow>;

/** A value of a quotient. */
interface QuotientRow {
  readonly especie: string;
  readonly fecha: string;
  readonly hora?: string;
  readonly cociente: number;
  /** The instrument that divided prices in pesos. Absent without such prices. */
  readonly conversion?: string;
}

/** A row to export. */
export type TableRow = PriceRow | QuotientRow;

/** The rows to export of a quotient. */
export function quotientRows(
  bars: readonly Bar[],
  {
    name,
    conversion,
  }: {
    readonly name: string;
    readonly conversion: string | undefined;
  },
): readonly QuotientRow[] {
  return bars.map(({ time, day, close }) => ({
    especie: name,
    fecha: day,
    ...(typeof time === 'string' ? {} : { hora: formatTimeOfBar(time) }),
    cociente: close,
    ...(conversion === undefined ? {} : { conversion }),
  }));
}

/** The fields of all rows. The order is that of `/intradiarios`; what the page computes follows. */
const fields = [
  'especie',
  'fecha',
  'hora',
  'apertura',
  'maximo',
  'minimo',
  'ultimo',
  'volumen',
  'cociente',
  'conversion',
  'dolar',
] as const;

/** The rows of a chart as a table to export, with the fields that they have. */
export function seriesTable(rows: readonly TableRow[]): ExportTable {
  const columns = fields.filter((field) => rows.some((row) => field in row));
  return {
    fields: columns,
    rows: rows.map((row) => {
      const values: Partial<Record<string, string | number | null>> = { ...row };
      return columns.map((field) => values[field] ?? null);
    }),
  };
}
