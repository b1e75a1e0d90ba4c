import type { TickerBar } from '../../../domain/quotes/minute-bar.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';

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
    numbers[at] = day;
    numbers[at + 1] = minute;
    numbers[at + 2] = open;
    numbers[at + 3] = high;
    numbers[at + 4] = low;
    numbers[at + 5] = last;
    numbers[at + 6] = volume ?? Number.NaN;
    at += numbersPerBar;
  }
  return { tickers: bars.map(({ ticker }) => ticker).join('\n'), numbers };
}

/** Unpacks bars. They are equal in every field. */
export function unpackBarColumns({ tickers, numbers }: BarColumns): readonly TickerBar[] {
  const lines = tickers.split('\n');
  return Array.from({ length: numbers.length / numbersPerBar }, (_, index) => {
    const at = index * numbersPerBar;
    const volume = numberAt(numbers, at + 6);
    return {
      ticker: lines[index] as Ticker,
      bar: {
        day: numberAt(numbers, at) as EpochDay,
        minute: numberAt(numbers, at + 1),
        open: numberAt(numbers, at + 2),
        high: numberAt(numbers, at + 3),
        low: numberAt(numbers, at + 4),
        last: numberAt(numbers, at + 5),
        volume: Number.isNaN(volume) ? null : volume,
      },
    };
  });
}

function numberAt(numbers: Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}
