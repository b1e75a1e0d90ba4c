import type { HistoryRow, IntradayRow } from '../../market/api/quote.ts';
import { formatTimeOfBar, type Bar } from '../drawing/bars.ts';
import type { InDollars } from './conversion.ts';
import type { SpreadMode } from './spread.ts';

/** A row of a table of the contract, perhaps in dollars. */
type PriceRow = HistoryRow | IntradayRow | InDollars<HistoryRow> | InDollars<IntradayRow>;

/** A value of a quotient or of a difference, under the name of what it is. */
type SpreadRow = Readonly<Partial<Record<SpreadMode, number>>> & {
  readonly especie: string;
  readonly fecha: string;
  readonly hora?: string;
  /** The instrument that divided prices in pesos. Absent without such prices. */
  readonly conversion?: string;
};

/** A row to export. */
export type TableRow = PriceRow | SpreadRow;

/** The rows to export of a quotient or of a difference. */
export function spreadRows(
  bars: readonly Bar[],
  {
    name,
    mode,
    conversion,
  }: {
    readonly name: string;
    readonly mode: SpreadMode;
    readonly conversion: string | undefined;
  },
): readonly SpreadRow[] {
  return bars.map(({ time, day, close }) => ({
    especie: name,
    fecha: day,
    ...(typeof time === 'string' ? {} : { hora: formatTimeOfBar(time) }),
    [mode]: close,
    ...(conversion === undefined ? {} : { conversion }),
  }));
}
