import type { TickerBar } from '../../domain/minute-bar.ts';
import type { EpochDay } from '../../domain/plain-date.ts';
import type { Ticker } from '../../domain/ticker.ts';

/** Bars as one text and one array of numbers, for messages between threads, as {@link QuoteColumns}. */
export interface BarColumns {
  /** One line for each bar: its ticker. */
  readonly tickers: string;
  /** Seven numbers for each bar. NaN stands for a volume of null. */
  readonly numbers: Float64Array<ArrayBuffer>;
}

const numbersPerBar = 7;

/** Packs bars. */
export function packBarColumns(bars: readonly TickerBar[]): BarColumns {
  const numbers = new Float64Array(bars.length * numbersPerBar);
  let at = 0;
  for (const { bar } of bars) {
    const { day, minute, open, high, low, last, volume } = bar;
    numbers.set([day, minute, open, high, low, last, volume ?? Number.NaN], at);
    at += numbersPerBar;
  }
  return { tickers: bars.map(({ ticker }) => ticker).join('\n'), numbers };
}

/** Unpacks bars. They are equal in every field. */
export function unpackBarColumns({ tickers, numbers }: BarColumns): readonly TickerBar[] {
  const lines = tickers.split('\n');
  return Array.from({ length: numbers.length / numbersPerBar }, (_, index) => {
    const start = index * numbersPerBar;
    const [day = 0, minute = 0, ...values] = numbers.subarray(start, start + numbersPerBar);
    const [open = 0, high = 0, low = 0, last = 0, volume = 0] = values;
    return {
      ticker: lines[index] as Ticker,
      bar: {
        day: day as EpochDay,
        minute,
        open,
        high,
        low,
        last,
        volume: Number.isNaN(volume) ? null : volume,
      },
    };
  });
}
