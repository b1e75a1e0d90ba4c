import type { ChartContent } from './chart-content.ts';
import type { Datum, Drawing } from './chart-drawings.ts';

/** The values that each series of a chart has, so that a change replaces only what it changes. */
export class SeriesFiller {
  readonly #filled = new WeakMap<Drawing['series'], readonly Datum[]>();

  /**
   * Gives a series its values in a content. A price changes only the last value, or adds one after it:
   * the library takes this as an update, which costs the same for a series of any length.
   */
  show({ series, valuesOf }: Drawing, content: ChartContent): void {
    const values = valuesOf(content);
    const before = this.#filled.get(series);
    this.#filled.set(series, values);
    const first = before === undefined ? 0 : firstChange(before, values);
    if (before === undefined || !isContinued(before, values, first)) series.setData([...values]);
    else for (const value of values.slice(first)) series.update(value);
  }
}

/** Whether values are those before, except the last one and those after it. */
function isContinued(before: readonly Datum[], values: readonly Datum[], first: number): boolean {
  const last = before.length - 1;
  return last >= 0 && first >= last && values[last]?.time === before[last]?.time;
}

/** The index of the first value that is not the same as before. It is the length of equal lists. */
function firstChange(before: readonly Datum[], values: readonly Datum[]): number {
  const at = values.findIndex((value, index) => !isSame(before[index], value));
  return at === -1 ? values.length : at;
}

/** Whether two values are drawn alike. */
function isSame(one: Datum | undefined, other: Datum): boolean {
  if (one === undefined || one.time !== other.time || one.color !== other.color) return false;
  if ('open' in one && 'open' in other) {
    const { open, high, low, close } = other;
    return one.open === open && one.high === high && one.low === low && one.close === close;
  }
  return 'value' in one && 'value' in other && one.value === other.value;
}
