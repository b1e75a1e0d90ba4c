import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { EpochDay } from '../../../domain/calendar/plain-date.ts';

/** Closes as one array of numbers, for messages between threads. Copying them as objects takes ten times as long. */
export interface CloseColumns {
  /** Seven numbers for each close. NaN stands for a volume of null, and for an absent price. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** The sources that the numbers refer to. */
  readonly sources: readonly string[];
}

const numbersPerClose = 7;
const noSource = -1;

/** Packs closes. */
export function packCloses(closes: readonly DailyClose[]): CloseColumns {
  const numbers = new Float64Array(closes.length * numbersPerClose);
  const sources: string[] = [];
  let last: string | undefined;
  let lastIndex = noSource;
  let at = 0;
  for (const { day, close, volume, open, high, low, source } of closes) {
    if (source !== last) {
      last = source;
      lastIndex = source === undefined ? noSource : indexOf(sources, source);
    }
    numbers[at] = day;
    numbers[at + 1] = close;
    numbers[at + 2] = volume ?? Number.NaN;
    numbers[at + 3] = open ?? Number.NaN;
    numbers[at + 4] = high ?? Number.NaN;
    numbers[at + 5] = low ?? Number.NaN;
    numbers[at + 6] = lastIndex;
    at += numbersPerClose;
  }
  return { numbers, sources };
}

/** Unpacks closes. They are equal in every field. */
export function unpackCloses({ numbers, sources }: CloseColumns): readonly DailyClose[] {
  const closes: DailyClose[] = [];
  for (let at = 0; at < numbers.length; at += numbersPerClose) {
    const volume = numberAt(numbers, at + 2);
    const open = numberAt(numbers, at + 3);
    const high = numberAt(numbers, at + 4);
    const low = numberAt(numbers, at + 5);
    const source = sources[numberAt(numbers, at + 6)];
    closes.push({
      day: numberAt(numbers, at) as EpochDay,
      close: numberAt(numbers, at + 1),
      volume: Number.isNaN(volume) ? null : volume,
      ...(Number.isNaN(open) ? {} : { open }),
      ...(Number.isNaN(high) ? {} : { high }),
      ...(Number.isNaN(low) ? {} : { low }),
      ...(source === undefined ? {} : { source }),
    });
  }
  return closes;
}

function indexOf(sources: string[], source: string): number {
  const index = sources.indexOf(source);
  return index < 0 ? sources.push(source) - 1 : index;
}

function numberAt(numbers: Float64Array, index: number): number {
  return numbers[index] ?? Number.NaN;
}
