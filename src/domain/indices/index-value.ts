import { fromEpochDay, type EpochDay, type PlainDate } from '../calendar/plain-date.ts';
import { indexDefinitions, type IndexName } from './index-name.ts';

/**
 * The value of an index for a day. It may be known before the day: CER and UVA are published for a month
 * to come, which a quote may not be (contract 2.6).
 */
export interface IndexValue {
  readonly index: IndexName;
  readonly day: EpochDay;
  readonly value: number;
  /** Where the value was read: the name of a source, or of the imported file. */
  readonly source: string;
}

/** No index begins earlier. A day before it is a placeholder. */
export const earliestIndexDate = '1943-01-01' as PlainDate;

/** Larger values are mistakes. CER is about 700 and UVA about 2,000 in 2026. */
const indexValueMax = 1e9;

/** Whether a number may be the value of an index. */
export function isIndexValue(index: IndexName, value: number): boolean {
  const { min = Number.MIN_VALUE, max = indexValueMax } = indexDefinitions[index].values ?? {};
  return value >= min && value <= max;
}

/** Whether a day may have a value of an index, as far as this follows from the day alone. */
export function mayHaveValue(index: IndexName, day: EpochDay): boolean {
  if (indexDefinitions[index].days !== 'month-end') return true;
  return fromEpochDay((day + 1) as EpochDay).endsWith('-01');
}
