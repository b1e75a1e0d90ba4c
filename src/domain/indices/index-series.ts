import type { EpochDay } from '../calendar/plain-date.ts';
import { indexNames, type IndexName } from './index-name.ts';
import type { IndexValue } from './index-value.ts';

/** The value of one day. */
export interface DayValue {
  readonly day: EpochDay;
  readonly value: number;
}

/**
 * The values of all indices, as of one revision of the store. It never changes: a later revision gives
 * another one. A day without a value has none. It is neither the value before nor anything computed.
 */
export class IndexSeries {
  /** The revision of the store. A later one is greater, and differs whenever a value does. */
  readonly version: number;
  readonly #byIndex: ReadonlyMap<IndexName, Days>;

  constructor(version: number, values: readonly IndexValue[]) {
    this.version = version;
    const byIndex = Map.groupBy(values, ({ index }) => index);
    this.#byIndex = new Map(
      indexNames.map((index) => [index, new Days(byIndex.get(index) ?? [])] as const),
    );
  }

  /** The value of an index for exactly this day. Undefined if none is known. */
  valueAt(index: IndexName, day: EpochDay): number | undefined {
    return this.#of(index).at(day);
  }

  /** The values of an index in a range of days, both ends included, ascending. */
  range(index: IndexName, from: EpochDay, to: EpochDay): readonly DayValue[] {
    return this.#of(index).range(from, to);
  }

  /** All values of an index, ascending. */
  all(index: IndexName): readonly DayValue[] {
    const days = this.#of(index);
    return days.range(days.first ?? (0 as EpochDay), days.last ?? (-1 as EpochDay));
  }

  /** The first and the last day with a value. Undefined for an index without values. */
  extent(index: IndexName): { readonly from: EpochDay; readonly to: EpochDay } | undefined {
    const { first, last } = this.#of(index);
    return first === undefined || last === undefined ? undefined : { from: first, to: last };
  }

  #of(index: IndexName): Days {
    return this.#byIndex.get(index) ?? noDays;
  }
}

/** The values of one index: days ascending, and the value of each. */
class Days {
  readonly #days: Int32Array;
  readonly #values: Float64Array;

  constructor(values: readonly IndexValue[]) {
    const sorted = values.toSorted((a, b) => a.day - b.day);
    this.#days = Int32Array.from(sorted, ({ day }) => day);
    this.#values = Float64Array.from(sorted, ({ value }) => value);
  }

  get first(): EpochDay | undefined {
    return this.#days[0] as EpochDay | undefined;
  }

  get last(): EpochDay | undefined {
    return this.#days.at(-1) as EpochDay | undefined;
  }

  at(day: EpochDay): number | undefined {
    const index = this.#firstFrom(day);
    return this.#days[index] === day ? this.#values[index] : undefined;
  }

  range(from: EpochDay, to: EpochDay): readonly DayValue[] {
    const found: DayValue[] = [];
    for (let at = this.#firstFrom(from); at < this.#days.length; at += 1) {
      const day = this.#days[at] as EpochDay;
      if (day > to) break;
      found.push({ day, value: this.#values[at] ?? Number.NaN });
    }
    return found;
  }

  /** The position of the first day that is not before a day. */
  #firstFrom(day: EpochDay): number {
    let low = 0;
    let high = this.#days.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#days[middle] ?? Infinity) < day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const noDays = new Days([]);

/** No value of any index: before the store was read. */
export const noIndices = new IndexSeries(0, []);
