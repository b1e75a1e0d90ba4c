import type { HistoryRow, IntradayRow } from '../../market/api/quote.ts';
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
